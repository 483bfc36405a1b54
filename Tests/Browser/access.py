"""What WCAG asks for, measured in the page: contrast, sizes of targets, names."""

# Every visible text with its colour and the colours behind it, innermost first; texts over the live picture and on
# half-transparent plates are put on their plate, at worst on white.
CONTRAST = r"""
() => {
    const parse = (text) => {
        const srgb = text.match(/color\(srgb ([\d.]+) ([\d.]+) ([\d.]+)(?: \/ ([\d.]+))?\)/);
        if (srgb) return [...srgb.slice(1, 4).map((part) => 255 * part), Number(srgb[4] ?? 1)];
        const parts = text.match(/[\d.]+/g).map(Number);
        return [parts[0], parts[1], parts[2], parts[3] ?? 1];
    };
    const over = (top, under) => top.slice(0, 3).map((part, at) => part * top[3] + under[at] * (1 - top[3]));
    const light = (colour) => {
        const [red, green, blue] = colour.map((part) => part / 255)
            .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const ratio = (one, other) => {
        const [high, low] = [light(one), light(other)].toSorted((a, b) => b - a);
        return (high + 0.05) / (low + 0.05);
    };
    const ground = (node) => {
        const layers = [];
        let under = [255, 255, 255];
        for (let at = node; at; at = at.parentElement) {
            const colour = parse(getComputedStyle(at).backgroundColor);
            if (colour[3] > 0) layers.push(colour);
            if (colour[3] === 1 || at.id === "welcome") {
                under = (at.id === "welcome" ? [29, 47, 42] : colour).slice(0, 3);
                if (colour[3] === 1) layers.pop();
                break;
            }
            // Over the live picture anything may lie behind; white is the worst for light letters.
            if (at.matches(".notice, .hint, .on-stage")) break;
        }
        return layers.reduceRight((below, layer) => over(layer, below), under);
    };
    const found = [];
    const shown = document.querySelector("dialog[open]") ?? document.body;
    const walker = document.createTreeWalker(shown, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const text = walker.currentNode.textContent.trim();
        const node = walker.currentNode.parentElement;
        if (!text || node.closest("noscript, script, .unseen, .skip, option, svg, :disabled")) continue;
        if (!node.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
        const style = getComputedStyle(node);
        const size = parseFloat(style.fontSize);
        const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
        const back = ground(node);
        const seen = ratio(over(parse(style.color), back), back);
        found.push({ text: text.slice(0, 40), ratio: seen, needed: isLarge ? 3 : 4.5 });
    }
    const controls = "button, select, input:not([type=radio], [type=checkbox], [type=file])";
    for (const node of shown.querySelectorAll(controls)) {
        if (!node.checkVisibility() || node.disabled || node.matches(".quiet, .session, .on-stage")) continue;
        const border = parse(getComputedStyle(node).borderTopColor);
        const inside = parse(getComputedStyle(node).backgroundColor);
        const back = ground(node.parentElement);
        const edge = Math.max(...[border, inside].map((part) => (part[3] > 0 ? ratio(over(part, back), back) : 0)));
        found.push({ text: `edge of ${node.id || node.textContent}`, ratio: edge, needed: 3 });
    }
    return found;
}
"""

# What one can press, with its size; a radio button or a check box counts with its label.
TARGETS = r"""
() => [...(document.querySelector("dialog[open]") ?? document).querySelectorAll(
        "a[href], button, select, input, summary, [role=button]")]
    .filter((node) => node.checkVisibility({ visibilityProperty: true }) && !node.closest(".skip, .unseen"))
    .map((node) => {
        const target = /^(radio|checkbox)$/.test(node.type) ? node.closest("label") : node;
        const { width, height } = target.getBoundingClientRect();
        return { name: node.id || node.value || node.textContent.trim(), width, height };
    })
"""

# Which outline or ring shows that something has the focus.
FOCUS = r"""
() => {
    const node = document.activeElement;
    const shown = node.matches("#modes input, #colours input") ? node.nextElementSibling : node;
    const style = getComputedStyle(shown);
    const { top, bottom, left, right } = node.getBoundingClientRect();
    return { name: node.id || node.value || node.textContent.trim(), width: parseFloat(style.outlineWidth),
        style: style.outlineStyle, isInView: bottom > 0 && right > 0 && top < innerHeight && left < innerWidth };
}
"""

# What of the visible text is cut, leaves the window or lies under other text.
CUT = """() => {
    const faults = [];
    if (document.documentElement.scrollWidth > innerWidth) faults.push(`the page is ${document.documentElement.scrollWidth} wide`);
    for (const node of document.querySelectorAll("h1, h2, p, button, .button, label, li, img, select, input, code")) {
        if (!node.checkVisibility() || node.closest(".unseen, .skip, option, dialog:not([open])")) continue;
        const { left, right, width } = node.getBoundingClientRect();
        if (width && (left < -0.6 || right > innerWidth + 0.6)) faults.push(`${node.id || node.className || node.tagName} leaves the window`);
        if (node.matches("h1, button, .button, .what, .state, .big") && node.scrollWidth > node.clientWidth + 1) {
            faults.push(`${node.id || node.className || node.textContent} is cut: ${node.scrollWidth} in ${node.clientWidth}`);
        }
    }
    return faults;
}"""

FOCUSABLE = {"button", "link", "radio", "checkbox", "combobox", "textbox", "slider", "DisclosureTriangle", "image",
             "img", "dialog", "region", "progressbar", "meter"}


def names(page):
    """Role and name, as a screen reader gets them, of whatever must have a name."""
    session = page.context.new_cdp_session(page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    session.detach()
    return [(node["role"]["value"], node.get("name", {}).get("value", "").strip()) for node in nodes
            if not node.get("ignored") and node.get("role", {}).get("value") in FOCUSABLE]
