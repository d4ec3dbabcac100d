/** What of two properties at one address decides whether they can be one, and what the one becomes. */

export type PlaceSide = {
  id: string
  customerId: string
  addressKey: string | null
  street: string
  archivedAt: string | null
}

export const placeRefusal = (kept: PlaceSide, gone: PlaceSide): string | null => {
  if (kept.id === gone.id) return 'This is the same property. Choose the other one. Nothing was changed.'
  if (kept.customerId !== gone.customerId)
    return 'These properties belong to two customers. Merge the customers first. Nothing was changed.'
  const archived = [kept, gone].find((place) => place.archivedAt !== null)
  if (archived) return `${archived.street} is archived. Switch it on first. Nothing was changed.`
  if (kept.addressKey === null || kept.addressKey !== gone.addressKey)
    return `${kept.street} and ${gone.street} are not one address. Nothing was changed.`
  return null
}

/** What goes together when somebody measured. */
export const measureFields = [
  'lawnSquareFeet',
  'difficulty',
  'lawnMeasuredAt',
  'lawnMeasuredBy',
  'lawnMeasuredHow',
] as const
const ownFields = ['gateCodeCipher', 'dog', 'parking', 'noGo', 'mowHeightInches'] as const

type Row = Record<(typeof measureFields)[number] | (typeof ownFields)[number], unknown> & {
  notes: string
  custom: Readonly<Record<string, unknown>>
  latitude: number | null
  longitude: number | null
  geocodeQuality: string
}

const isEmpty = (value: unknown): boolean => value === null || value === ''

/**
 * What the kept property becomes, only what changes: its own words stay, what it has not is taken from the other, the notes one below the other.
 * @param measures whose measurements stand
 */
export const mergedPlace = (kept: Row, gone: Row, measures: 'kept' | 'gone'): Record<string, unknown> => {
  const taken = [
    ...ownFields.filter((field) => isEmpty(kept[field]) && !isEmpty(gone[field])),
    ...(measures === 'gone' ? measureFields : []),
  ]
  const notes = [kept.notes, gone.notes === kept.notes ? '' : gone.notes].filter(Boolean).join('\n\n').slice(0, 4000)
  const filled = Object.entries(gone.custom).filter(([id]) => kept.custom[id] === undefined)
  const pinned = kept.latitude === null && gone.latitude !== null
  return {
    ...Object.fromEntries(taken.map((field) => [field, gone[field]])),
    ...(notes === kept.notes ? {} : { notes }),
    ...(filled.length > 0 ? { custom: { ...kept.custom, ...Object.fromEntries(filled) } } : {}),
    ...(pinned
      ? {
          latitude: gone.latitude,
          longitude: gone.longitude,
          geocodeQuality: gone.geocodeQuality,
          geocodeWantedAt: null,
        }
      : {}),
  }
}
