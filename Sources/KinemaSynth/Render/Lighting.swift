/// The lights and the shading of surfaces, in camera space.
struct Lighting {
    // The directions to the main light and to the sky.
    private let kx: Float, ky: Float, kz: Float
    private let sx: Float, sy: Float, sz: Float

    /// The direction to the main light in the world: from above, in front and slightly to the side.
    static let key = Vector(-0.45, 0.8, 0.55).unit

    init(_ projection: Projection) {
        // The room has several lamps, so part of the light always comes from the camera's side.
        let light = (Lighting.key * 0.65 + projection.forward * -0.55 + projection.right * -0.3).unit
        (kx, ky, kz) = (
            Float(light.dot(projection.right)), Float(light.dot(projection.up)), Float(light.dot(projection.forward))
        )
        let sky = Vector.up
        (sx, sy, sz) = (
            Float(sky.dot(projection.right)), Float(sky.dot(projection.up)), Float(sky.dot(projection.forward))
        )
    }

    /// The colour at the point where a ray hits a solid, with channels 0...255.
    @inline(__always)
    func shade(_ solid: ProjectedSolid, _ u: Float, _ v: Float, _ depth: Float, _ along: Float) -> (Float, Float, Float)
    {
        let inverse = 1 / (solid.radius - along * solid.shrink)
        let nx = (u * depth - solid.ax - along * solid.dx) * inverse
        let ny = (v * depth - solid.ay - along * solid.dy) * inverse
        let nz = (depth - solid.az - along * solid.dz) * inverse
        let facing = nx * kx + ny * ky + nz * kz
        let sky = nx * sx + ny * sy + nz * sz
        // Wrap lighting, as from large lamps and on skin.
        let direct = max(0, (facing + 0.25) * 0.8)
        var light = 0.42 + 0.16 * sky + 0.52 * direct
        // Surfaces at a slant darken slightly, which emphasises the outline.
        light *= 0.82 + 0.18 * min(1, -nz * 1.6)
        let mirror = max(0, facing)
        let shine = solid.gloss * mirror * mirror * mirror * mirror * mirror * mirror * 255
        return (
            min(255, solid.red * light * 255 + shine), min(255, solid.green * light * 255 + shine),
            min(255, solid.blue * light * 255 + shine)
        )
    }
}
