import type { EquipmentKind } from '../rules.ts'

/** The look at the truck before the day: what a crew looks at, and what came of it. */

/** When a crew is asked: never, at any time of its day, or before it clocks in. */
export const checkAsks = ['off', 'anytime', 'first'] as const
export type CheckAsks = (typeof checkAsks)[number]
export const asksLabel: Record<CheckAsks, string> = {
  off: 'Not asked',
  anytime: 'Once a day',
  first: 'Once a day, before the crew clocks in',
}

/** What an item is looked at on: each piece of a kind, or once for the crew. */
export const itemSubjects = ['truck', 'trailer', 'mower', 'crew'] as const
export type ItemSubject = (typeof itemSubjects)[number]

export type CheckItem = { id: string; en: string; es: string; of: ItemSubject }

export const mostItems = 40
/** The most photos of one defect. */
export const mostDefectPhotos = 4

/** What a business begins with; the words are its own to change. */
export const usualItems: readonly CheckItem[] = [
  { id: 'tires', en: 'Tires and lug nuts', es: 'Llantas y tuercas', of: 'truck' },
  { id: 'lights', en: 'Lights and signals', es: 'Luces y direccionales', of: 'truck' },
  { id: 'fluids', en: 'Oil, coolant, fuel', es: 'Aceite, refrigerante, gasolina', of: 'truck' },
  { id: 'brakes', en: 'Brakes and mirrors', es: 'Frenos y espejos', of: 'truck' },
  { id: 'hitch', en: 'Hitch, pin and chains', es: 'Enganche, pasador y cadenas', of: 'trailer' },
  { id: 'trailer_tires', en: 'Tires and lights', es: 'Llantas y luces', of: 'trailer' },
  { id: 'straps', en: 'Straps and ramp', es: 'Correas y rampa', of: 'trailer' },
  { id: 'blades', en: 'Blades and deck', es: 'Cuchillas y plataforma', of: 'mower' },
  { id: 'mower_fluids', en: 'Oil and fuel', es: 'Aceite y gasolina', of: 'mower' },
  { id: 'first_aid', en: 'First-aid kit', es: 'Botiquín', of: 'crew' },
  { id: 'extinguisher', en: 'Fire extinguisher', es: 'Extintor', of: 'crew' },
  { id: 'spill_kit', en: 'Spill kit', es: 'Kit para derrames', of: 'crew' },
]

type Piece = { id: string; kind: EquipmentKind }

/** What one crew looks at: each item on each piece of its kind, then what is the crew's. In the order of the pieces. */
export const linesOf = (
  items: readonly CheckItem[],
  equipment: readonly Piece[],
): { equipmentId: string | null; items: CheckItem[] }[] =>
  [
    ...equipment.map(({ id, kind }) => ({
      equipmentId: id as string | null,
      items: items.filter((item) => item.of === kind),
    })),
    { equipmentId: null, items: items.filter((item) => item.of === 'crew') },
  ].filter((one) => one.equipmentId !== null || one.items.length > 0)

/** A defect as the office reads it: "Truck 2: Tires and lug nuts". */
export const defectTitle = ({ equipment, item }: { equipment: string | null; item: string }): string =>
  equipment ? `${equipment}: ${item}` : item
