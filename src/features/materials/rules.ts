import type { Refusal } from '../../shared/can.ts'
import { formatCents } from '../../shared/money.ts'
import type { ServiceCategory } from '../services/rules.ts'

/** What a business buys to put on lawns and in beds: kinds, units, how it is packed, and when more is bought. */

export const materialKinds = [
  'fertilizer',
  'seed',
  'mulch',
  'topsoil',
  'compost',
  'gravel',
  'sod',
  'lime',
  'herbicide',
  'other',
] as const
export type MaterialKind = (typeof materialKinds)[number]
export const kindLabel: Readonly<Record<MaterialKind, string>> = {
  fertilizer: 'Fertilizer',
  seed: 'Seed',
  mulch: 'Mulch',
  topsoil: 'Topsoil',
  compost: 'Compost',
  gravel: 'Gravel',
  sod: 'Sod',
  lime: 'Lime',
  herbicide: 'Tank mix',
  other: 'Other',
}

/** What goes by the cubic yard. */
export const bulkKinds = ['mulch', 'topsoil', 'compost', 'gravel'] as const
export type BulkKind = (typeof bulkKinds)[number]
export const isBulk = (kind: MaterialKind): kind is BulkKind => bulkKinds.includes(kind as BulkKind)

/** What a package is measured in. */
export const materialUnits = ['lb', 'oz', 'fl oz', 'gal', 'yd', 'cu ft', 'sq ft', 'ml', 'g', 'each'] as const
export type MaterialUnit = (typeof materialUnits)[number]

/** The units that a kind is calculated in; the first is the usual one. */
export const unitsOf: Readonly<Record<MaterialKind, readonly MaterialUnit[]>> = {
  fertilizer: ['lb'],
  seed: ['lb'],
  mulch: ['yd', 'cu ft'],
  topsoil: ['yd', 'cu ft'],
  compost: ['yd', 'cu ft'],
  gravel: ['yd', 'cu ft'],
  sod: ['sq ft'],
  lime: ['lb'],
  herbicide: ['fl oz', 'gal', 'oz', 'lb', 'ml', 'g'],
  other: materialUnits,
}

export const packages = ['bag', 'yard', 'pallet', 'jug', 'box', 'roll', 'piece'] as const
export type Package = (typeof packages)[number]

/** How a kind usually comes. */
export const usualPackage: Readonly<Record<MaterialKind, { package: Package; unit: MaterialUnit; size: number }>> = {
  fertilizer: { package: 'bag', unit: 'lb', size: 50 },
  seed: { package: 'bag', unit: 'lb', size: 50 },
  mulch: { package: 'yard', unit: 'yd', size: 1 },
  topsoil: { package: 'yard', unit: 'yd', size: 1 },
  compost: { package: 'yard', unit: 'yd', size: 1 },
  gravel: { package: 'yard', unit: 'yd', size: 1 },
  sod: { package: 'pallet', unit: 'sq ft', size: 450 },
  lime: { package: 'bag', unit: 'lb', size: 50 },
  herbicide: { package: 'jug', unit: 'fl oz', size: 128 },
  other: { package: 'piece', unit: 'each', size: 1 },
}

/** The most materials of a business, and the most that is counted of one. */
export const mostMaterials = 300
export const mostPackages = 1_000_000

/** What stands at a price that is none. */
export const priceWords = 'A price is $0.00 or more.'

/** Why an amount is no price, or null. */
export const priceRefusal = (cents: number): string | null => (cents < 0 ? priceWords : null)

/** Percent that is usually put on what a material costs; whoever quotes it types another price. */
export const usualMarkupPercent = 30

/** What the customer usually pays for one of so many, in cents: the cost with the usual markup. */
export const usualPriceCents = (costCents: number, quantity: number): number =>
  Math.round((costCents * (100 + usualMarkupPercent)) / 100 / quantity)

/** "1,234.5": at most two digits behind the point. */
export const amountText = (value: number, digits = 2): string =>
  value.toLocaleString('en-US', { maximumFractionDigits: digits })

const plurals: Readonly<Record<Package, string>> = {
  bag: 'bags',
  yard: 'yards',
  pallet: 'pallets',
  jug: 'jugs',
  box: 'boxes',
  roll: 'rolls',
  piece: 'pieces',
}

/** "1 bag", "2.5 yards". */
export const packagesText = (count: number, one: Package): string =>
  `${amountText(count)} ${count === 1 ? one : plurals[one]}`

/** "50 lb bag"; a yard is what it is measured in. */
export const packageText = ({
  package: one,
  packageSize,
  unit,
}: {
  package: Package
  packageSize: number
  unit: MaterialUnit
}): string => (unit === 'yd' && packageSize === 1 ? 'by the yard' : `${amountText(packageSize)} ${unit} ${one}`)

/**
 * Packages that hold an amount: whole ones, and of what is loaded by the single yard half ones.
 * @param amount and `packageSize` in the same unit
 */
export const packagesFor = (
  amount: number,
  { unit, packageSize }: { unit: MaterialUnit; packageSize: number },
): number => {
  // what is left over of a sum of decimals opens no bag
  const exact = amount / packageSize - 1e-9
  return amount <= 0 ? 0 : unit === 'yd' && packageSize === 1 ? Math.ceil(exact * 2) / 2 : Math.ceil(exact)
}

/** More is bought: at the reorder point or below. */
export const isLow = ({ onHand, reorderAt }: { onHand: number; reorderAt: number | null }): boolean =>
  reorderAt !== null && onHand <= reorderAt

/** Packages that bring a material above its reorder point again; 0 where it is not low. Whole ones. */
export const shortBy = (stock: { onHand: number; reorderAt: number | null }): number =>
  isLow(stock) ? Math.max(1, Math.ceil((stock.reorderAt ?? 0) * 2 - stock.onHand)) : 0

/** Packages that are to be bought for a calculation: what it takes less what is on hand, whole ones; 0 where there are enough. */
export const shortageOf = (needed: number, onHand: number, sold: { unit: MaterialUnit; packageSize: number }): number =>
  packagesFor(Math.max(0, needed - onHand) * sold.packageSize, sold)

/** Beyond so many packages, or so much money, a purchase is asked about once more: a zero too many is seen before it is ordered. */
const farOut = { packages: 500, cents: 1_000_000 }

/** Why a purchase is asked about once more: how much it is, in words; null for a usual one. @param costCents of one package, null where it is not known */
export const purchaseQuestion = (count: number, one: Package, costCents: number | null): string | null => {
  const cents = costCents === null ? null : Math.round(costCents * count)
  if (count <= farOut.packages && (cents ?? 0) <= farOut.cents) return null
  return `${packagesText(count, one)}${cents === null ? ' are very many' : ` cost ${formatCents(cents)}`}. Is that meant?`
}

type Work = { name: string; category: ServiceCategory }
/** What a service is called that takes a kind, and what sort of work it is. */
const takenBy: Readonly<Record<MaterialKind, { words: RegExp | null; category: ServiceCategory | null }>> = {
  fertilizer: { words: /fertili|\bfert\b|feeding/i, category: 'treat' },
  seed: { words: /seed/i, category: 'treat' },
  mulch: { words: /mulch/i, category: 'install' },
  topsoil: { words: /topsoil|top.?dress|soil/i, category: 'install' },
  compost: { words: /compost|top.?dress/i, category: 'install' },
  gravel: { words: /gravel|stone|rock/i, category: 'install' },
  sod: { words: /\bsod/i, category: 'install' },
  lime: { words: /\blim(e|ing)\b/i, category: 'treat' },
  herbicide: { words: /herbicide|weed control|weed|spray|emergent/i, category: 'treat' },
  other: { words: null, category: null },
}

/** The visit that takes a material: the first whose service is called after it, else the first of its sort of work, else the first one. */
export const visitFor = <V extends { services: readonly Work[] }>(
  kind: MaterialKind,
  visits: readonly V[],
): V | undefined => {
  const { words, category } = takenBy[kind]
  return (
    visits.find(({ services }) => services.some((one) => one.category === category && words?.test(one.name))) ??
    visits.find(({ services }) => services.some((one) => one.category === category)) ??
    visits[0]
  )
}

export const moveKinds = ['count', 'received', 'used'] as const
export type MoveKind = (typeof moveKinds)[number]
export const moveLabel: Readonly<Record<MoveKind, string>> = { count: 'Counted', received: 'Received', used: 'Used' }

export const materialActions = ['update', 'count', 'receive', 'use', 'archive', 'restore'] as const
export type MaterialAction = (typeof materialActions)[number]

type Facts = { archived: boolean }
const inUse: Refusal<Facts> = ({ archived }) =>
  archived ? 'This material was put away. Bring it back first. Nothing was changed.' : null

/** Why the state of a material refuses an action. */
export const materialRefusals: Readonly<Record<MaterialAction, Refusal<Facts>>> = {
  update: inUse,
  count: inUse,
  receive: inUse,
  use: inUse,
  archive: ({ archived }) => (archived ? 'This material was put away already.' : null),
  restore: ({ archived }) => (archived ? null : 'This material is on the list already.'),
}

/** Why so much cannot be used, or null. */
export const shortProblem = (packagesUsed: number, onHand: number): string | null =>
  packagesUsed > onHand + 1e-9
    ? `Only ${amountText(onHand)} on hand by the last count. Count it first, then say what was used. Nothing was changed.`
    : null

/** Why a move that goes by what the screen said is refused: somebody else moved it meanwhile. */
export const movedProblem = (seen: number | undefined, onHand: number): string | null =>
  seen === undefined || Math.abs(seen - onHand) < 1e-9
    ? null
    : `It is ${amountText(onHand)} by now. Nothing was changed.`

/** How many of what a service is sold by: yards of mulch, pallets of sod; 1 for what is sold by the visit, the hour or the size. */
export const quantityFor = (
  sold: string,
  { amount, packages: count }: { amount: number; packages: number },
  { unit, packageSize }: { unit: MaterialUnit; packageSize: number },
): number =>
  sold === 'yard' && unit === 'yd'
    ? Math.round(count * packageSize * 1000) / 1000
    : sold === 'yard' && unit === 'cu ft'
      ? Math.ceil((amount / 27) * 1000 - 1e-6) / 1000
      : sold === 'each'
        ? count
        : 1
