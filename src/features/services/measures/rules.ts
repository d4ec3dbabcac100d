/** What of a property a service's price, minutes and material go by. */
export const measures = ['lawn', 'beds', 'edges'] as const
export type MeasuredBy = (typeof measures)[number]

/** What of a property is measured; null where nobody measured it. */
export type Sizes = { lawnSquareFeet: number | null; bedSquareFeet: number | null; edgeFeet: number | null }

/** A size with what it is a size of: square feet of lawn or beds, feet of edges. */
export type Measure = { measuredBy: MeasuredBy; size: number | null }

/** What a service goes by at a property. Never another measure in its place: null is "measure it first". */
export const measureOf = ({ measuredBy }: { measuredBy: MeasuredBy }, place: Sizes): Measure => ({
  measuredBy,
  size: measuredBy === 'lawn' ? place.lawnSquareFeet : measuredBy === 'beds' ? place.bedSquareFeet : place.edgeFeet,
})

/** A size that was asked about, typed, or kept with a line: beds and lawn in square feet, edges in feet. */
export type AskedSize = { squareFeet: number | null; feet?: number | null | undefined }

export const measureOfAsked = ({ measuredBy }: { measuredBy: MeasuredBy }, asked: AskedSize): Measure => ({
  measuredBy,
  size: measuredBy === 'edges' ? (asked.feet ?? null) : asked.squareFeet,
})

/** A measure as it is asked about, typed, or kept with a line. */
export const askedOf = ({ measuredBy, size }: Measure): { squareFeet: number | null; feet: number | null } =>
  measuredBy === 'edges' ? { squareFeet: null, feet: size } : { squareFeet: size, feet: null }

/**
 * Square feet that work by these measures covers, as product is put on them: the lawn and the beds, each once. Edges have no surface.
 * @returns null where one of them is not known: less than what is treated would be a wrong amount
 */
export const treatedSquareFeet = (of: readonly Measure[]): number | null => {
  const sizes = new Map(of.map(({ measuredBy, size }) => [measuredBy, measuredBy === 'edges' ? null : size]))
  const known = [...sizes.values()]
  return known.length === 0 || known.includes(null) ? null : known.reduce<number>((sum, size) => sum + (size ?? 0), 0)
}

/** Nothing is known of a place: of a template, or of somebody new. */
export const unmeasured: Sizes = { lawnSquareFeet: null, bedSquareFeet: null, edgeFeet: null }

/** What a price or time says that lacks its measure: "needs a lawn size". */
export const needsMeasure: Record<MeasuredBy, string> = {
  lawn: 'needs a lawn size',
  beds: 'needs the size of the beds',
  edges: 'needs the length of the edges',
}

/** What is to be done about it. */
export const measureFirst: Record<MeasuredBy, string> = {
  lawn: 'Measure the lawn',
  beds: 'Measure the beds',
  edges: 'Measure the edges',
}

/** What of the property is missing, as part of a sentence: "no lawn size". */
export const noMeasure: Record<MeasuredBy, string> = {
  lawn: 'no lawn size',
  beds: 'no measured beds',
  edges: 'no measured edges',
}

/** The same as a sentence of its own. */
export const noMeasureYet: Record<MeasuredBy, string> = {
  lawn: 'This property has no lawn size yet.',
  beds: 'The beds of this property are not measured yet.',
  edges: 'The edges of this property are not measured yet.',
}

/** Unit of a field that takes a size. */
export const measureUnit: Record<MeasuredBy, string> = { lawn: 'sq ft', beds: 'sq ft', edges: 'ft' }

/** Unit of a size where nothing else says what is measured; the lawn is what everybody expects. */
export const measureUnitLong: Record<MeasuredBy, string> = {
  lawn: 'sq ft',
  beds: 'sq ft of beds',
  edges: 'ft of edges',
}

export const measureLabel: Record<MeasuredBy, string> = { lawn: 'Lawn', beds: 'Beds', edges: 'Edges' }

/** What a field for a size is called. */
export const sizeLabel: Record<MeasuredBy, string> = {
  lawn: 'Lawn size',
  beds: 'Size of the beds',
  edges: 'Length of the edges',
}

/** "600 sq ft of beds". */
export const measureText = ({ measuredBy, size }: { measuredBy: MeasuredBy; size: number }): string =>
  `${size.toLocaleString('en-US')} ${measureUnitLong[measuredBy]}`
