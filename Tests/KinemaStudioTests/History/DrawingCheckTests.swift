@testable import KinemaHistory
import Testing

@testable import KinemaStudio

private let space = #"xmlns="http://www.w3.org/2000/svg""#

/// The drawings that an archive may bring: those that Kinema writes.
@Suite struct DrawingCheckTests {
    @Test(arguments: [
        // Cairo 1.16, Cairo 1.18, and the page.
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <svg \(space) xmlns:xlink="http://www.w3.org/1999/xlink" width="640pt" height="480pt" viewBox="0 0 640 480" version="1.1">
        <g id="surface1">
        <path style="fill:none;stroke-width:6.15;stroke-linecap:round;stroke:rgb(0%,44.705882%,69.803922%);" d="M 1 2 L 3 -4 C 1 2 3 4 5 6.125 "/>
        <path style=" stroke:none;fill-rule:nonzero;fill:rgb(10%,40%,0%);fill-opacity:1;" d="M 53 50 "/>
        </g>
        </svg>

        """,
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <svg \(space) xmlns:xlink="http://www.w3.org/1999/xlink" width="640" height="480" viewBox="0 0 640 480">
        <path fill="none" stroke-width="6.15" stroke-linecap="round" stroke-linejoin="round" stroke="rgb(0%, 44.705882%, 69.803922%)" stroke-opacity="1" stroke-miterlimit="10" d="M 1 2 L 3 -4"/>
        </svg>

        """,
        """
        <svg \(space) viewBox="0 0 640 480" width="640" height="480" fill="none" stroke-linecap="round" stroke-linejoin="round">
          <path d="M1.0 2.0Q3.0 4.0 5.0 6.0L7.0 8.0" stroke="#0072b2" stroke-width="6.1"/>
        </svg>

        """,
    ])
    func `a drawing that Kinema writes is accepted`(_ drawing: String) {
        #expect(DrawingCheck.accepts(drawing))
    }

    @Test(arguments: [
        #"<g id="a"/><use href="a"/>"#, #"<image href="a"/>"#, "<style>*{}</style>", #"<style>@import "a";</style>"#,
        #"<path><set attributeName="onclick" to="a"/></path>"#, "<path/onclick=\"a\"/>", "<path\tonclick=\"a\"/>",
        #"<path id="a"onclick="a"/>"#, "<a href=https://a.example>a</a>", "<path id=a/>", "<path id='a'/>",
        #"<path fill="url(a)"/>"#, #"<path style="fill:url(a)"/>"#, #"<path style="background:rgb(1,2,3)"/>"#,
        #"<path fill="rgb(1);fill:url(a)"/>"#, #"<path d="\75rl"/>"#, #"<path id="&#97;"/>"#,
        "<!--a-->", "<![CDATA[a]]>",
        #"<path id="a" id="b"/>"#, #"<path xmlns="http://www.w3.org/1999/xhtml"/>"#, "<paths/>", "text", "<g>",
        "<g><g><g><g></g></g></g></g>", "</svg><embed/><svg>", "<?a?>", "<path", "<path id=\"", "\u{0}",
    ])
    func `anything else is refused`(_ part: String) {
        #expect(!DrawingCheck.accepts("<svg \(space)>\(part)</svg>"))
        #expect(DrawingCheck.accepts("<svg \(space)></svg>"))
    }

    @Test(arguments: ["", "<svg", "<svg>", "<html></html>", "<!DOCTYPE svg><svg/>", "<svg/><svg/>"])
    func `what is no whole document is refused`(_ text: String) {
        #expect(!DrawingCheck.accepts(text))
    }
}
