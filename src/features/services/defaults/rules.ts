import type { MeasuredBy } from '../measures/rules.ts'
import type { PriceRule, PriceTier, ServiceCategory, ServiceUnit, TimeRule } from '../rules.ts'

/** A line of a service's checklist; a required one is ticked before the visit can be finished. */
export type ChecklistItem = { text: string; es?: string; required: boolean }

export type DefaultService = {
  code: string
  name: string
  /** For crews who read Spanish. */
  nameEs: string
  description: string
  category: ServiceCategory
  unit: ServiceUnit
  measuredBy: MeasuredBy
  priceRule: PriceRule
  timeRule: TimeRule
  taxCategory: string
  checklist: ChecklistItem[]
  photoRequired: boolean
  soldAtDoor: boolean
  minGapDays: number
  skills: string[]
}

/** Slope, obstacles and gates: what each step from 1 to 5 adds. */
const difficultyPercent = [100, 110, 125, 145, 170]
const same = { weekly: 100, biweekly: 100, monthly: 100, once: 100 }

const price = (
  minCents: number,
  tiers: PriceTier[],
  changes: Partial<Omit<PriceRule, 'minCents' | 'tiers'>> = {},
): PriceRule => ({
  minCents,
  sizeAtMinSquareFeet: 5000,
  tiers,
  roundToCents: 100,
  difficultyPercent,
  frequencyPercent: same,
  firstCutPercent: 100,
  ...changes,
})
const perKsqft = (centsPerKsqft: number): PriceTier[] => [{ upToSquareFeet: null, centsPerKsqft }]
/** The same price whatever the size. */
export const flatPriceRule = (minCents: number): PriceRule =>
  price(minCents, perKsqft(0), { sizeAtMinSquareFeet: 0, difficultyPercent: [100, 100, 100, 100, 100] })
const time = (fixedMinutes: number, minutesPerKsqft: number, minutesPerUnit = 0): TimeRule => ({
  fixedMinutes,
  minutesPerKsqft,
  minutesPerUnit,
  difficultyPercent,
})
type Both = readonly [text: string, es: string]
const todo = (...texts: Both[]): ChecklistItem[] => texts.map(([text, es]) => ({ text, es, required: false }))
const must = ([text, es]: Both): ChecklistItem => ({ text, es, required: true })

const plain = {
  measuredBy: 'lawn' as MeasuredBy,
  taxCategory: 'lawn',
  checklist: [] as ChecklistItem[],
  photoRequired: false,
  soldAtDoor: false,
  minGapDays: 0,
  skills: [] as string[],
}

/** What a new business starts with: usual work of a lawn-care company with prices to change. */
export const defaultServices: readonly DefaultService[] = [
  {
    ...plain,
    code: 'mow',
    name: 'Mow, edge, trim and blow',
    nameEs: 'Cortar, orillar, recortar y soplar',
    description: 'Lawn mowed, edges cut, trimmed around obstacles, clippings blown off walks and drive.',
    category: 'mow',
    unit: 'visit',
    priceRule: price(
      4500,
      [
        { upToSquareFeet: 20_000, centsPerKsqft: 250 },
        { upToSquareFeet: null, centsPerKsqft: 175 },
      ],
      { frequencyPercent: { weekly: 100, biweekly: 130, monthly: 160, once: 175 }, firstCutPercent: 150 },
    ),
    timeRule: time(8, 1.8),
    checklist: todo(['Gates closed', 'Portones cerrados'], ['Walks and drive blown off', 'Aceras y entrada sopladas']),
  },
  {
    ...plain,
    code: 'fert-weed',
    name: 'Fertilize and weed control',
    nameEs: 'Fertilizar y controlar maleza',
    description: 'Fertilizer for the season and broadleaf weed control, one application.',
    category: 'treat',
    unit: 'visit',
    priceRule: price(4500, perKsqft(600)),
    timeRule: time(8, 2.5),
    checklist: [
      must(['Lawn flag posted', 'Bandera de aviso puesta']),
      ...todo(['Wind checked before spraying', 'Viento revisado antes de rociar']),
    ],
    minGapDays: 28,
  },
  {
    ...plain,
    code: 'aerate',
    name: 'Core aeration',
    nameEs: 'Aireación',
    description: 'One pass with a core aerator; plugs stay on the lawn.',
    category: 'treat',
    unit: 'visit',
    priceRule: price(8500, perKsqft(1200)),
    timeRule: time(10, 4),
    checklist: [must(['Sprinkler heads and lines flagged', 'Aspersores y líneas marcados'])],
    minGapDays: 90,
  },
  {
    ...plain,
    code: 'overseed',
    name: 'Overseed',
    nameEs: 'Resembrar',
    description: 'Seed spread over the existing lawn, best right after aeration.',
    category: 'treat',
    unit: 'visit',
    priceRule: price(12_500, perKsqft(2500)),
    timeRule: time(10, 3),
    minGapDays: 42,
  },
  {
    ...plain,
    code: 'dethatch',
    name: 'Dethatch',
    nameEs: 'Quitar la paja del césped',
    description: 'Thatch raked out by machine and hauled away.',
    category: 'treat',
    unit: 'visit',
    priceRule: price(12_000, perKsqft(1800)),
    timeRule: time(15, 8),
    minGapDays: 180,
  },
  {
    ...plain,
    code: 'mulch',
    measuredBy: 'beds',
    name: 'Mulch installed',
    nameEs: 'Poner mantillo',
    description: 'Mulch delivered and spread 3 inches deep, beds edged. Priced by the yard.',
    category: 'install',
    unit: 'yard',
    priceRule: flatPriceRule(10_300),
    timeRule: time(10, 0, 45),
    checklist: todo(['Kept clear of trunks and siding', 'Sin tocar troncos ni paredes']),
    photoRequired: true,
  },
  {
    ...plain,
    code: 'hedge',
    measuredBy: 'beds',
    name: 'Hedge and shrub trimming',
    nameEs: 'Podar setos y arbustos',
    description: 'Hedges and shrubs trimmed, cuttings hauled away. Priced by the labor hour.',
    category: 'other',
    unit: 'hour',
    priceRule: flatPriceRule(6500),
    timeRule: time(0, 0, 60),
    checklist: todo(['Cuttings hauled away', 'Recortes retirados']),
  },
  {
    ...plain,
    code: 'bed-weeding',
    measuredBy: 'beds',
    name: 'Bed weeding',
    nameEs: 'Deshierbar jardineras',
    description: 'Beds weeded by hand. Priced by the labor hour.',
    category: 'other',
    unit: 'hour',
    priceRule: flatPriceRule(6500),
    timeRule: time(0, 0, 60),
  },
  {
    ...plain,
    code: 'edging',
    measuredBy: 'edges',
    name: 'Edging',
    nameEs: 'Perfilar bordes',
    description: 'Edges of beds and walks cut clean, the soil taken along. Priced by their length.',
    category: 'other',
    unit: 'visit',
    priceRule: price(6500, perKsqft(45_000), { sizeAtMinSquareFeet: 100 }),
    timeRule: time(5, 150),
    checklist: todo(['Soil and roots taken along', 'Tierra y raíces recogidas']),
  },
  {
    ...plain,
    code: 'leaf',
    name: 'Leaf clean-up',
    nameEs: 'Recoger hojas',
    description: 'Leaves blown, gathered and taken to the curb or hauled away. Priced by the labor hour.',
    category: 'cleanup',
    unit: 'hour',
    priceRule: flatPriceRule(6500),
    timeRule: time(0, 0, 60),
    checklist: todo(['Gutters at the curb left open', 'Cunetas libres']),
  },
  {
    ...plain,
    code: 'lime',
    name: 'Lime application',
    nameEs: 'Aplicar cal',
    description: 'Pelletized lime to raise the pH, one application.',
    category: 'treat',
    unit: 'visit',
    priceRule: price(5500, perKsqft(800)),
    timeRule: time(6, 1.5),
    minGapDays: 90,
  },
]
