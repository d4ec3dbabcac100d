/** A place as [latitude, longitude] in degrees. */
export type Corner = readonly [latitude: number, longitude: number]
/** A closed line without its first corner again at the end. */
export type Ring = readonly Corner[]

export const areaKinds = ['turf', 'bed', 'edge', 'other'] as const
export type AreaKind = (typeof areaKinds)[number]
export const areaKindLabels: Record<AreaKind, string> = { turf: 'Turf', bed: 'Bed', edge: 'Edge', other: 'Other' }

/** What a property can hold, so that reading it stays quick. */
export const most = { areas: 40, rings: 20, corners: 200, squareFeet: 50_000_000, feet: 1_000_000 } as const

const squareFeetPerSquareMeter = 10.763910416709722
const metersPerFoot = 0.3048
// WGS 84
const equator = 6_378_137
const eccentricity2 = 0.0066943799901413165
const eccentricity = Math.sqrt(eccentricity2)
const radians = Math.PI / 180

/** Height of a latitude in an equal-area cylinder around the ellipsoid, in meters (Snyder, Map Projections, 10-17 and 3-12). */
const heightOf = (latitude: number): number => {
  const sin = Math.sin(latitude * radians)
  const q =
    (1 - eccentricity2) *
    (sin / (1 - eccentricity2 * sin * sin) -
      (1 / (2 * eccentricity)) * Math.log((1 - eccentricity * sin) / (1 + eccentricity * sin)))
  return (equator * q) / 2
}

/** Square feet inside a ring, on the ellipsoid; of less than three corners none. */
const ringSquareFeet = (ring: Ring): number => {
  const [first] = ring
  if (!first || ring.length < 3) return 0
  const flat = ring.map(([latitude, longitude]) => [
    equator * (longitude - first[1]) * radians,
    heightOf(latitude) - heightOf(first[0]),
  ])
  const twice = flat.reduce((sum, [x = 0, y = 0], at) => {
    const [nextX = 0, nextY = 0] = flat[(at + 1) % flat.length] ?? []
    return sum + x * nextY - nextX * y
  }, 0)
  return (Math.abs(twice) / 2) * squareFeetPerSquareMeter
}

/** Square feet of an outline less its holes, rounded; geodesic, within 0.1 % of the truth for anything that a crew mows. */
export const squareFeetOf = ([outline = [], ...holes]: readonly Ring[]): number =>
  Math.max(0, Math.round(ringSquareFeet(outline) - holes.reduce((sum, hole) => sum + ringSquareFeet(hole), 0)))

/** Meters between two near places. */
export const metersBetween = ([lat1, lon1]: Corner, [lat2, lon2]: Corner): number => {
  const sin = Math.sin(((lat1 + lat2) / 2) * radians)
  const bent = 1 - eccentricity2 * sin * sin
  const north = (lat2 - lat1) * radians * ((equator * (1 - eccentricity2)) / bent ** 1.5)
  const east = (lon2 - lon1) * radians * (equator / Math.sqrt(bent)) * Math.sqrt(1 - sin * sin)
  return Math.hypot(north, east)
}

const nextOf = (ring: Ring, at: number): Corner => ring[(at + 1) % ring.length] as Corner

/** Feet around an outline and its holes, rounded: what there is to edge. */
export const feetAround = (rings: readonly Ring[]): number =>
  Math.round(
    rings.reduce(
      (sum, ring) =>
        ring.length < 2 ? sum : sum + ring.reduce((s, corner, at) => s + metersBetween(corner, nextOf(ring, at)), 0),
      0,
    ) / metersPerFoot,
  )

const turn = ([ay, ax]: Corner, [by, bx]: Corner, [cy, cx]: Corner): number =>
  Math.sign((bx - ax) * (cy - ay) - (by - ay) * (cx - ax))
const isWithin = (a: Corner, b: Corner, p: Corner): boolean =>
  Math.min(a[0], b[0]) <= p[0] &&
  p[0] <= Math.max(a[0], b[0]) &&
  Math.min(a[1], b[1]) <= p[1] &&
  p[1] <= Math.max(a[1], b[1])

/** Whether two lines meet, at their ends too. */
const meet = (a: Corner, b: Corner, c: Corner, d: Corner): boolean => {
  const [one, two, three, four] = [turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b)]
  if (one !== two && three !== four) return true
  return (
    (one === 0 && isWithin(a, b, c)) ||
    (two === 0 && isWithin(a, b, d)) ||
    (three === 0 && isWithin(c, d, a)) ||
    (four === 0 && isWithin(c, d, b))
  )
}

/** The sides of a ring that cross or touch, by the numbers of their first corners, counted from 1; null when it is simple. */
export const crossingOf = (ring: Ring): { one: number; other: number } | null => {
  for (let i = 0; i < ring.length; i++)
    for (let j = i + 1; j < ring.length; j++) {
      const [a, b, c, d] = [ring[i] as Corner, nextOf(ring, i), ring[j] as Corner, nextOf(ring, j)]
      const isNext = j === i + 1
      const isBefore = (j + 1) % ring.length === i
      // neighbors share a corner; they only lie on each other when one turns straight back
      const back = isNext
        ? turn(a, b, d) === 0 && isBack(a, b, d)
        : isBefore
          ? turn(c, d, b) === 0 && isBack(c, d, b)
          : false
      if (isNext || isBefore ? back : meet(a, b, c, d)) return { one: i + 1, other: j + 1 }
    }
  return null
}

const isBack = (from: Corner, by: Corner, to: Corner): boolean =>
  (by[0] - from[0]) * (to[0] - by[0]) + (by[1] - from[1]) * (to[1] - by[1]) < 0

const ringsMeet = (one: Ring, other: Ring): boolean =>
  one.some((a, i) => other.some((c, j) => meet(a, nextOf(one, i), c, nextOf(other, j))))

/** Whether a place lies inside a ring. */
export const isInside = ([y, x]: Corner, ring: Ring): boolean =>
  ring.reduce((inside, [y1, x1], at) => {
    const [y2, x2] = nextOf(ring, at)
    return y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1 ? !inside : inside
  }, false)

/** Why an outline cannot be measured, as a sentence for who drew it; null when it can. @param name how the area is called */
export const shapeProblem = (name: string, rings: readonly Ring[]): string | null => {
  const [outline = [], ...holes] = rings
  if (rings.length > most.rings) return `${name} has more than ${most.rings - 1} holes. Draw it as two areas.`
  for (const [at, ring] of rings.entries()) {
    const what = at === 0 ? `The outline of ${name}` : `Hole ${at} of ${name}`
    if (ring.length < 3) return `${what} needs at least three corners.`
    if (ring.length > most.corners) return `${what} has more than ${most.corners} corners. Leave some out.`
    const crossing = crossingOf(ring)
    if (crossing)
      return `${what} crosses itself: the side from corner ${crossing.one} and the side from corner ${crossing.other} meet. Move one of these corners.`
  }
  for (const [at, hole] of holes.entries()) {
    if (ringsMeet(hole, outline) || !isInside(hole[0] as Corner, outline))
      return `Hole ${at + 1} of ${name} reaches over its outline. Keep it inside.`
    const other = holes.findIndex(
      (one, i) =>
        i < at && (ringsMeet(hole, one) || isInside(hole[0] as Corner, one) || isInside(one[0] as Corner, hole)),
    )
    if (other >= 0) return `Holes ${other + 1} and ${at + 1} of ${name} overlap. Make them one, or move them apart.`
  }
  const feet = squareFeetOf(rings)
  if (feet < 1) return `${name} is smaller than a square foot.`
  if (feet > most.squareFeet) return `${name} is larger than ${most.squareFeet.toLocaleString('en-US')} square feet.`
  return null
}

/** The lawn of a property by its areas: its turf together; null without turf, then a typed size counts. */
export const lawnOf = (areas: readonly { kind: AreaKind; squareFeet: number }[]): number | null => {
  const turf = areas.filter((area) => area.kind === 'turf')
  return turf.length === 0 ? null : turf.reduce((sum, area) => sum + area.squareFeet, 0)
}

/** The beds of a property together in square feet; null where none was measured. */
export const bedsOf = (areas: readonly { kind: AreaKind; squareFeet: number }[]): number | null => {
  const beds = areas.filter((area) => area.kind === 'bed')
  return beds.length === 0 ? null : beds.reduce((sum, area) => sum + area.squareFeet, 0)
}

/** The edges of a property together in feet; null where none was measured, or one of them only in square feet: part of them would be too little. */
export const edgesOf = (areas: readonly { kind: AreaKind; feetAround: number | null }[]): number | null => {
  const edges = areas.filter((area) => area.kind === 'edge')
  return edges.length === 0 || edges.some(({ feetAround }) => feetAround === null)
    ? null
    : edges.reduce((sum, { feetAround }) => sum + (feetAround ?? 0), 0)
}

/**
 * The lawn size that stands and would be replaced by areas with another one: it was typed, or told by a visitor, and nobody sees
 * it while drawing. Null where nothing is lost: there was none, its areas said it already, or it stays.
 */
export const replacedLawn = (
  stands: { lawnSquareFeet: number | null; items: readonly { kind: AreaKind }[] },
  lawn: number | null,
): number | null =>
  lawn === null || lawn === stands.lawnSquareFeet || stands.items.some(({ kind }) => kind === 'turf')
    ? null
    : stands.lawnSquareFeet

/** "Front lawn", or "Turf 2" for one without a name. @param at its place in the list, from 0 */
export const areaLabel = ({ name, kind }: { name: string; kind: AreaKind }, at: number): string =>
  name || `${areaKindLabels[kind]} ${at + 1}`
