import {
  bulkUsual,
  byThousand,
  cubicFeetPerYard,
  cubicYards,
  fertilizerPerThousand,
  gallonsPerAcre,
  grassLabel,
  nutrientPounds,
  poundsPerGallon,
  productInTank,
  pureLiveShare,
  seedPounds,
  seedRange,
  sodSquareFeet,
  solublePounds,
} from '../formulas/rules.ts'
import { type LawFinding, lawFindings, lawOf } from '../law/rules.ts'
import {
  amountText,
  isBulk,
  kindLabel,
  type MaterialKind,
  type MaterialUnit,
  type Package,
  packagesFor,
  packagesText,
} from '../rules.ts'
import type { Choice } from './contract.ts'

/** What a calculation comes to. The screen while typing and the server that keeps it ask the same function. */

/** What of a material a calculation goes by. */
export type MaterialFacts = {
  kind: MaterialKind
  name: string
  package: Package
  packageSize: number
  unit: MaterialUnit
  /** Of one package; null where nobody knows. */
  weightPounds: number | null
  nitrogenPercent: number | null
  phosphatePercent: number | null
  potashPercent: number | null
  slowPercent: number | null
  purityPercent: number | null
  germinationPercent: number | null
  /** Of one package; null where nobody said, or for who does not see costs. */
  costCents: number | null
  /** What its label allows for 1,000 sq ft; null for what is no product of the library. */
  label: { low: number | null; high: number | null; unit: string } | null
  /** The product of that label. */
  productId?: string | null
}

/** States whose nitrogen law the business switched off, with why. */
export type CapsOff = readonly { state: string; reason: string }[]

export type Fact = { label: string; value: string }
export type Calculation = {
  /** Exact, in `unit`. */
  amount: number
  unit: MaterialUnit
  packages: number
  /** All packages together, and the water of a tank mix; of what is known. */
  weightPounds: number | null
  /** Something of it weighs more than nothing, and nobody knows how much. */
  weightIsLeast: boolean
  costCents: number | null
  facts: Fact[]
  /** How it comes to that, a line a step, with these numbers. */
  steps: string[]
  source: string
  /** What to know; nothing is refused by it. */
  notes: string[]
  /** Why this cannot be kept, at which field; null where nothing stands against it. */
  problem: { path: string; message: string; rule?: 'law' } | null
}

type Part = Omit<Calculation, 'packages' | 'weightPounds' | 'weightIsLeast' | 'costCents' | 'amount' | 'unit'> & {
  amount: number
  unit: MaterialUnit
}

const n = amountText
const area = (squareFeet: number): string => `${n(squareFeet)} sq ft`
const thousand = (squareFeet: number): string => `${area(squareFeet)} ÷ 1,000`

const none = { facts: [], steps: [], notes: [], source: '', problem: null }
const lacking = (path: string, message: string, unit: MaterialUnit): Part => ({
  ...none,
  amount: 0,
  unit,
  problem: { path, message },
})

/** The field that a finding of a law stands at. */
const fieldOf: Readonly<Record<LawFinding['rule'], string>> = {
  total: 'targetPounds',
  soluble: 'targetPounds',
  blackout: 'on',
  phosphorus: 'phosphorusAsked',
}

const fertilizer = (
  choice: Extract<Choice, { kind: 'fertilizer' }>,
  material: MaterialFacts,
  capsOff: CapsOff,
): Part => {
  const { squareFeet, targetPounds, state, on, phosphorusAsked } = choice
  const percent = material.nitrogenPercent
  if (percent === null) return lacking('nitrogenPercent', 'Type the first of the three numbers on the bag.', 'lb')
  if (percent <= 0) return lacking('nitrogenPercent', 'With 0% nitrogen it cannot be calculated by nitrogen.', 'lb')
  const perThousand = fertilizerPerThousand(targetPounds, percent)
  const pounds = byThousand(squareFeet, perThousand)
  const soluble = solublePounds(targetPounds, material.slowPercent)
  const findings = lawFindings({
    state,
    day: on,
    nitrogenPounds: targetPounds,
    solublePounds: soluble,
    phosphatePercent: material.phosphatePercent,
    phosphorusAsked,
  })
  const off = capsOff.find((one) => one.state === state)
  const [stop] = off ? [] : findings
  const law = lawOf(state)
  const applied = (value: number | null) => (value === null ? 'not typed' : `${n(nutrientPounds(pounds, value))} lb`)
  return {
    amount: pounds,
    unit: 'lb',
    facts: [
      { label: 'Product for 1,000 sq ft', value: `${n(perThousand)} lb` },
      { label: 'Nitrogen applied', value: applied(percent) },
      { label: 'Phosphate (P₂O₅) applied', value: applied(material.phosphatePercent) },
      { label: 'Potash (K₂O) applied', value: applied(material.potashPercent) },
      {
        label: 'Soluble nitrogen for 1,000 sq ft',
        value: `${n(soluble)} lb${material.slowPercent === null ? ', all of it: the label’s slow release is not typed' : ''}`,
      },
    ],
    steps: [
      `${n(targetPounds)} lb N × 100 ÷ ${n(percent)}% N = ${n(perThousand)} lb for 1,000 sq ft`,
      `${thousand(squareFeet)} × ${n(perThousand)} lb = ${n(pounds)} lb`,
    ],
    source: `University of Nebraska, lawn fertilizer calculator.${law ? ` ${law.source}` : ''}`,
    notes: [
      ...(off ? findings : []).map(({ words }) => words),
      ...(off && findings.length > 0
        ? [`The limits of ${law?.name ?? off.state} are switched off here: ${off.reason}`]
        : []),
      ...(law?.words ?? []),
    ],
    problem: stop ? { path: fieldOf[stop.rule], message: stop.words, rule: 'law' } : null,
  }
}

const seed = (choice: Extract<Choice, { kind: 'seed' }>, material: MaterialFacts): Part => {
  const { squareFeet, grass, seeding, ratePounds, extraPercent } = choice
  const liveShare = pureLiveShare(material.purityPercent, material.germinationPercent)
  const pounds = seedPounds(squareFeet, ratePounds, { liveShare, extraPercent })
  const plain = byThousand(squareFeet, ratePounds)
  const [low, high] = seedRange(grass, seeding)
  const isOut = ratePounds < low || ratePounds > high
  return {
    amount: pounds,
    unit: 'lb',
    facts: [
      { label: 'Usual rate', value: `${n(low)} to ${n(high)} lb for 1,000 sq ft` },
      {
        label: 'Pure live seed',
        value: liveShare === 1 ? 'not on the tag, counted as all of it' : `${n(liveShare * 100)}%`,
      },
    ],
    steps: [
      `${thousand(squareFeet)} × ${n(ratePounds)} lb = ${n(plain)} lb`,
      ...(liveShare === 1
        ? []
        : [
            `${n(material.purityPercent ?? 100)}% pure × ${n(material.germinationPercent ?? 100)}% germination = ${n(liveShare * 100)}% pure live seed`,
            `${n(plain)} lb ÷ ${n(liveShare, 3)} = ${n(plain / liveShare)} lb`,
          ]),
      ...(extraPercent > 0 ? [`${n(plain / liveShare)} lb + ${n(extraPercent)}% to spare = ${n(pounds)} lb`] : []),
    ],
    source: 'Cornell sports fields, seeding rates; half of a new lawn for overseeding.',
    notes: isOut
      ? [
          `${grassLabel[grass]} usually takes ${n(low)} to ${n(high)} lb for 1,000 sq ft ${seeding === 'new' ? 'on a new lawn' : 'when it is overseeded'}.`,
        ]
      : [],
    problem: null,
  }
}

const bulk = (
  { squareFeet, depthInches, wastePercent }: Extract<Choice, { depthInches: number }>,
  material: MaterialFacts,
): Part => {
  const plain = cubicYards(squareFeet, depthInches)
  const yards = cubicYards(squareFeet, depthInches, wastePercent)
  const isBags = material.unit === 'cu ft'
  const feet = yards * cubicFeetPerYard
  const bought = packagesFor(yards, material)
  const isLoose = material.packageSize === 1
  return {
    amount: isBags ? feet : yards,
    unit: isBags ? 'cu ft' : 'yd',
    facts: [
      { label: 'Exact', value: `${n(yards)} yd³` },
      ...(isBags ? [{ label: 'In cubic feet', value: `${n(feet, 1)} cu ft` }] : []),
    ],
    steps: [
      `${area(squareFeet)} × ${n(depthInches)} in ÷ 324 = ${n(plain)} yd³`,
      ...(wastePercent > 0 ? [`${n(plain)} yd³ + ${n(wastePercent)}% for settling and waste = ${n(yards)} yd³`] : []),
      ...(isBags
        ? [`${n(yards)} yd³ × 27 = ${n(feet, 1)} cu ft`]
        : isLoose
          ? [`rounded up to the half yard: ${n(bought)} yd³`]
          : [
              `${n(yards)} yd³ ÷ ${n(material.packageSize)} yd³, rounded up: ${packagesText(bought, material.package)}`,
            ]),
    ],
    source:
      'Suppliers’ calculators: a cubic yard covers 324 sq ft one inch deep; weights of a yard are their upper figures.',
    notes: [],
    problem: null,
  }
}

const sod = ({ squareFeet, wastePercent }: Extract<Choice, { kind: 'sod' }>): Part => {
  const amount = sodSquareFeet(squareFeet, wastePercent)
  return {
    amount,
    unit: 'sq ft',
    facts: [{ label: 'Sod with waste', value: area(amount) }],
    steps: [`${area(squareFeet)} + ${n(wastePercent)}% cut away = ${area(amount)}`],
    source: 'Suppliers: a pallet is usually 50 sq yd, 450 sq ft; 5 to 10% is cut away.',
    notes: [],
    problem: null,
  }
}

const lime = ({ squareFeet, poundsPerThousand }: Extract<Choice, { kind: 'lime' }>): Part => {
  const pounds = byThousand(squareFeet, poundsPerThousand)
  return {
    amount: pounds,
    unit: 'lb',
    facts: [],
    steps: [`${thousand(squareFeet)} × ${n(poundsPerThousand)} lb = ${n(pounds)} lb`],
    source: 'A bag of 50 lb for 1,000 sq ft is usual; a soil test says better.',
    notes: [],
    problem: null,
  }
}

const herbicide = (choice: Extract<Choice, { kind: 'herbicide' }>, material: MaterialFacts): Part => {
  const { squareFeet, rate, carrierGallons, tankGallons } = choice
  const { label, unit } = material
  if (!label) return lacking('materialId', 'Choose a product of your library: a rate comes only from its label.', unit)
  if (label.high === null)
    return lacking(
      'rate',
      `What the label of ${material.name} allows is not typed yet: add it at the product first.`,
      unit,
    )
  if (label.unit !== unit)
    return lacking(
      'materialId',
      `${material.name} is measured in ${unit}, the label of its product in ${label.unit}: say the package in ${label.unit} at the material first.`,
      unit,
    )
  const amount = byThousand(squareFeet, rate)
  const water = byThousand(squareFeet, carrierGallons)
  const range = `${label.low === null ? 'up to ' : `${n(label.low, 4)} to `}${n(label.high, 4)} ${label.unit} for 1,000 sq ft`
  const inTank = tankGallons === null ? null : productInTank(rate, tankGallons, carrierGallons)
  const tanks = tankGallons === null ? null : water / tankGallons
  return {
    amount,
    unit,
    facts: [
      { label: 'The label allows', value: range },
      { label: 'Water', value: `${n(water, 1)} gal` },
      ...(inTank === null || tanks === null || tankGallons === null
        ? []
        : [
            { label: `In a full tank of ${n(tankGallons)} gal`, value: `${n(inTank)} ${label.unit}` },
            { label: 'Tanks', value: n(tanks) },
          ]),
      { label: 'Water for an acre', value: `${n(gallonsPerAcre(carrierGallons), 0)} gal` },
    ],
    steps: [
      `${thousand(squareFeet)} × ${n(rate, 4)} ${label.unit} = ${n(amount)} ${label.unit}`,
      `${thousand(squareFeet)} × ${n(carrierGallons)} gal of water = ${n(water, 1)} gal`,
      ...(inTank === null || tankGallons === null
        ? []
        : [
            `${n(rate, 4)} ${label.unit} × ${n(tankGallons)} gal ÷ ${n(carrierGallons)} gal = ${n(inTank)} ${label.unit} in a tank`,
          ]),
    ],
    source: 'The product’s label as it stands in your library, and arithmetic.',
    notes: [
      'Water for 1,000 sq ft differs with the person and the sprayer: measure it before you trust it.',
      ...(label.low !== null && rate < label.low ? [`That is less than the label’s ${range}.`] : []),
    ],
    problem:
      rate > label.high
        ? {
            path: 'rate',
            message: `The label of ${material.name} allows at most ${n(label.high, 4)} ${label.unit} for 1,000 sq ft.`,
          }
        : null,
  }
}

const partOf = (choice: Choice, material: MaterialFacts, capsOff: CapsOff): Part => {
  switch (choice.kind) {
    case 'fertilizer':
      return fertilizer(choice, material, capsOff)
    case 'seed':
      return seed(choice, material)
    case 'sod':
      return sod(choice)
    case 'lime':
      return lime(choice)
    case 'herbicide':
      return herbicide(choice, material)
    default:
      return bulk(choice, material)
  }
}

const percents = [
  'nitrogenPercent',
  'phosphatePercent',
  'potashPercent',
  'slowPercent',
  'purityPercent',
  'germinationPercent',
] as const
export type PercentName = (typeof percents)[number]

/** Why a percent cannot stand on a bag or tag, or null. Of seed of which nothing is pure or comes up, no amount is enough. */
export const percentRefusal = (name: PercentName, value: number): string | null =>
  value < 0 || value > 100
    ? 'A percent is 0 to 100.'
    : value === 0 && (name === 'purityPercent' || name === 'germinationPercent')
      ? 'More than 0%: leave it empty where the tag does not say.'
      : null

const percentProblem = (material: MaterialFacts): { path: PercentName; message: string } | null => {
  for (const path of percents) {
    const value = material[path]
    const message = value === null ? null : percentRefusal(path, value)
    if (message) return { path, message }
  }
  return null
}

const perPound: Readonly<Partial<Record<MaterialUnit, number>>> = { lb: 1, oz: 16, g: 453.592_37 }

/**
 * Pounds of so many packages: as typed, by what a package is measured in, or by the usual weight of a yard.
 * @returns null where nobody knows it
 */
export const weightOf = (
  material: Pick<MaterialFacts, 'kind' | 'unit' | 'packageSize' | 'weightPounds'>,
  count: number,
): number | null => {
  const { kind, unit, packageSize, weightPounds } = material
  if (weightPounds !== null) return weightPounds * count
  const inPound = perPound[unit]
  if (inPound !== undefined) return (count * packageSize) / inPound
  const perYard = isBulk(kind) ? bulkUsual[kind].poundsPerYard : null
  if (perYard === null) return null
  const yards = unit === 'yd' ? packageSize : unit === 'cu ft' ? packageSize / cubicFeetPerYard : null
  return yards === null ? null : count * yards * perYard
}

/** Pounds of water that choices take along together: of tank mixes, and no more at once than the tank holds where it is typed. */
export const waterWeightOf = (choices: readonly Choice[]): number => {
  const mixes = choices.filter((choice) => choice.kind === 'herbicide')
  const gallons = mixes.reduce((sum, one) => sum + byThousand(one.squareFeet, one.carrierGallons), 0)
  const atOnce = Math.max(...mixes.map(({ tankGallons }) => tankGallons ?? Number.POSITIVE_INFINITY))
  return mixes.length === 0 ? 0 : Math.min(gallons, atOnce) * poundsPerGallon
}

/**
 * What a material comes to for what was chosen: amount in the material's unit, packages, weight and cost, and how.
 * @param material of the same kind; another one is a `problem`
 */
export const calculate = (choice: Choice, material: MaterialFacts, capsOff: CapsOff = []): Calculation => {
  const wrong = percentProblem(material)
  const part: Part = wrong
    ? lacking(wrong.path, wrong.message, material.unit)
    : material.kind === choice.kind
      ? partOf(choice, material, capsOff)
      : lacking('materialId', `${material.name} is no ${kindLabel[choice.kind].toLowerCase()}.`, material.unit)
  const count = packagesFor(part.amount, material)
  const weight = weightOf(material, count)
  const water = count === 0 ? 0 : waterWeightOf([choice])
  return {
    ...part,
    packages: count,
    // what is loaded is whole packages
    weightPounds: count === 0 || (weight === null && water === 0) ? null : (weight ?? 0) + water,
    weightIsLeast: weight === null && water > 0,
    costCents: material.costCents === null || count === 0 ? null : Math.round(material.costCents * count),
  }
}

/** What a truck is told that cannot carry it, or null. A payload is pounds. */
export const overload = (weightPounds: number | null, payloadPounds: number): string | null =>
  weightPounds === null || weightPounds <= payloadPounds
    ? null
    : `${n(weightPounds, 0)} lb is more than the ${n(payloadPounds, 0)} lb that your truck carries: ${n(Math.ceil(weightPounds / payloadPounds))} trips, or have it delivered.`
