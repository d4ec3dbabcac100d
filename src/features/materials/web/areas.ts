import { type AreaKind, areaKindLabels } from '../../customers/areas/rules.ts'

/** A measured part of a property that a material can go on. */
type Area = { id: string; label: string; squareFeet: number; kind: AreaKind }

/** The parts of a property with the whole lawn first, unless its turf is drawn in parts. An edge is a length: nothing goes on it. */
export const areasOf = (
  lawnSquareFeet: number | null,
  drawn: readonly { id: string; kind: AreaKind; name: string; squareFeet: number }[],
): Area[] => {
  const parts = drawn
    .filter(({ kind, squareFeet }) => kind !== 'edge' && squareFeet > 0)
    .map(({ id, kind, name, squareFeet }) => ({ id, label: name || areaKindLabels[kind], squareFeet, kind }))
  return lawnSquareFeet !== null && lawnSquareFeet > 0 && !parts.some(({ kind }) => kind === 'turf')
    ? [{ id: 'lawn', label: 'Lawn', squareFeet: lawnSquareFeet, kind: 'turf' }, ...parts]
    : parts
}

/** What is ticked at first: the beds, or the turf; what is neither is chosen by a person. */
export const usualAreas = (areas: readonly Area[], beds: boolean): string[] =>
  areas.filter(({ kind }) => kind === (beds ? 'bed' : 'turf')).map(({ id }) => id)
