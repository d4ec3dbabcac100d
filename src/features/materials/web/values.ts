import type { Day } from '../../../shared/dates.ts'
import { Choice } from '../calculation/contract.ts'
import type { MaterialFacts } from '../calculation/rules.ts'
import {
  bulkUsual,
  type Grass,
  limePerThousand,
  type Seeding,
  seedExtraPercent,
  seedRange,
  sodWastePercent,
} from '../formulas/rules.ts'
import { isBulk, type MaterialKind, usualPackage } from '../rules.ts'

/** What can be calculated, in the order of the cards, with what each is about. */
export const calculated = [
  'fertilizer',
  'seed',
  'herbicide',
  'lime',
  'mulch',
  'topsoil',
  'compost',
  'gravel',
  'sod',
] as const satisfies readonly MaterialKind[]
export type CalculatedKind = (typeof calculated)[number]

export const about: Readonly<Record<CalculatedKind, string>> = {
  fertilizer: 'by N-P-K',
  seed: 'by grass',
  herbicide: 'by the label',
  lime: 'by the bag',
  mulch: 'yards or bags',
  topsoil: 'yards or bags',
  compost: 'yards or bags',
  gravel: 'yards or bags',
  sod: 'pallets',
}

/** What is typed for a kind; a number that is not there yet is null. */
export type Values = {
  targetPounds: number | null
  state: string
  on: Day
  phosphorusAsked: boolean
  grass: Grass
  seeding: Seeding
  ratePounds: number | null
  extraPercent: number | null
  depthInches: number | null
  wastePercent: number | null
  poundsPerThousand: number | null
  rate: number | null
  carrierGallons: number | null
  tankGallons: number | null
}

export const valuesFor = (kind: CalculatedKind, before: Values | null, today: Day): Values => {
  const kept: Values = before ?? {
    targetPounds: 1,
    state: '',
    on: today,
    phosphorusAsked: false,
    grass: 'tallFescue',
    seeding: 'overseed',
    ratePounds: middleRate('tallFescue', 'overseed'),
    extraPercent: seedExtraPercent,
    depthInches: null,
    wastePercent: null,
    poundsPerThousand: limePerThousand,
    rate: null,
    carrierGallons: 1.5,
    tankGallons: null,
  }
  if (isBulk(kind))
    return { ...kept, depthInches: bulkUsual[kind].depthInches, wastePercent: bulkUsual[kind].wastePercent }
  return kind === 'sod' ? { ...kept, wastePercent: sodWastePercent } : kept
}

/** The middle of the usual rates of a grass, in pounds for 1,000 sq ft. */
export const middleRate = (grass: Grass, seeding: Seeding): number => {
  const [low, high] = seedRange(grass, seeding)
  return (low + high) / 2
}

/** What a person chose, or what of it cannot be taken, by field. */
export const choiceOf = (
  kind: CalculatedKind,
  values: Values,
  squareFeet: number | null,
): { choice: Choice | null; errors: Readonly<Record<string, string>> } => {
  const found = Choice.safeParse({ kind, ...values, squareFeet, state: values.state || null })
  if (found.success) return { choice: found.data, errors: {} }
  return {
    choice: null,
    errors: Object.fromEntries(found.error.issues.map(({ path, message }) => [String(path[0] ?? ''), message])),
  }
}

/** A material that is on no list: as it usually comes, until somebody types it. */
export const typedFacts = (kind: CalculatedKind): MaterialFacts => {
  const { package: one, unit, size } = usualPackage[kind]
  return {
    kind,
    name: 'Another material',
    package: one,
    packageSize: size,
    unit,
    weightPounds: null,
    nitrogenPercent: kind === 'fertilizer' ? 24 : null,
    phosphatePercent: kind === 'fertilizer' ? 0 : null,
    potashPercent: kind === 'fertilizer' ? 11 : null,
    slowPercent: null,
    purityPercent: null,
    germinationPercent: null,
    costCents: null,
    label: null,
  }
}
