import type { MapPin } from '../../../ui/mapPins.ts'

/** A pin of the map, and which places it stands for. */
export type Stack<P extends MapPin> = { pin: MapPin; of: readonly P[] }

// a meter: a finger cannot tell them apart at any zoom
const spotOf = ({ lat, lon }: MapPin): string => `${lat.toFixed(5)} ${lon.toFixed(5)}`

const names = (pins: readonly MapPin[]): string => {
  const shown = pins.slice(0, 3).map(({ name }) => name)
  return pins.length > 3 ? `${shown.join('; ')}; and ${pins.length - 3} more` : shown.join('; ')
}

/** Places at one spot are one pin with their number: the houses of a ZIP code that is not looked up yet, or the units of one door. */
export const stacked = <P extends MapPin>(pins: readonly P[]): Stack<P>[] =>
  [...Map.groupBy(pins, spotOf).values()].flatMap((of): Stack<P>[] => {
    const [first] = of
    if (!first) return []
    if (of.length === 1) return [{ pin: first, of }]
    const colors = new Set(of.map(({ color }) => color))
    return [
      {
        of,
        pin: {
          ...first,
          id: `stack:${first.id}`,
          count: of.length,
          label: of.length > 99 ? '99+' : of.length,
          name: `${of.length} customers here: ${names(of)}`,
          color: colors.size === 1 && first.color ? first.color : 'var(--side)',
          selected: of.some(({ selected }) => selected),
          rough: of.every(({ rough }) => rough),
        },
      },
    ]
  })
