import { poundsPerGallon } from '../../materials/formulas/rules.ts'
import { type MaterialUnit, type Package, packagesFor } from '../../materials/rules.ts'
import { isTerminal } from '../../visits/rules.ts'
import type { CrewDayPlan, CrewStop } from '../contract.ts'

/** What goes on the truck for a day, from the stops as the phone has them: no signal is needed, and what is done is not loaded again. */

/** What is loaded in whole packages; `size` in the line's unit. */
type LoadPack = { of: Package; size: number; pounds: number | null }

export type LoadLine = { name: string; unit: string; amount: number; stops: number; pack?: LoadPack | undefined }

export type DayLoad = {
  /** What the day's work is, with how many stops: what is not measured is loaded by it. */
  work: { name: string; stops: number; withoutMix: boolean }[]
  products: LoadLine[]
  waterGallons: number
  materials: LoadLine[]
  /** What packages and water weigh together, at least so much where something else is loaded; null where nothing of it is known. */
  weight: { pounds: number; isLeast: boolean } | null
  /** Stops of which nobody knows how much: the lawn was not measured. */
  unmeasured: { street: string; names: string[] }[]
  equipment: { name: string; out: string | null }[]
}

/** Hundredths are added as whole numbers, so that sums stay what they are. */
const plus = (a: number, b: number): number => Math.round((a + b) * 100) / 100

const samePack = (a: LoadPack | undefined, b: LoadPack | undefined): boolean => a?.of === b?.of && a?.size === b?.size

const added = (lines: LoadLine[], { name, unit, amount, pack }: Omit<LoadLine, 'stops'>): void => {
  const line = lines.find((one) => one.name === name && one.unit === unit && samePack(one.pack, pack))
  if (!line) lines.push({ name, unit, amount: plus(0, amount), stops: 1, ...(pack ? { pack } : {}) })
  else {
    line.amount = plus(line.amount, amount)
    line.stops += 1
  }
}

const byName = (a: { name: string }, b: { name: string }): number => a.name.localeCompare(b.name)

/** Whole packages that hold what a line takes, counted once over all its stops; null for what comes in none. */
export const packagesOf = ({ amount, unit, pack }: Pick<LoadLine, 'amount' | 'unit' | 'pack'>): number | null =>
  pack ? packagesFor(amount, { unit: unit as MaterialUnit, packageSize: pack.size }) : null

/** Pounds of a line's packages; null where nobody knows them. */
export const poundsOf = (line: Pick<LoadLine, 'amount' | 'unit' | 'pack'>): number | null => {
  const [count, pounds] = [packagesOf(line), line.pack?.pounds ?? null]
  return count === null || pounds === null ? null : Math.round(count * pounds)
}

/** What a load weighs as far as it is known: its packages and its water. */
const weightOfLoad = ({ materials, products, waterGallons }: DayLoad): DayLoad['weight'] => {
  const known = materials.map(poundsOf)
  const pounds = known.reduce<number>((sum, one) => sum + (one ?? 0), Math.round(waterGallons * poundsPerGallon))
  return pounds === 0 ? null : { pounds, isLeast: products.length > 0 || known.includes(null) }
}

/** Whether a stop is still to be loaded for: not over, and not gone to another day or crew. */
export const isToLoad = (stop: Pick<CrewStop, 'status' | 'movedTo' | 'withOther'>): boolean =>
  !isTerminal(stop.status) && !stop.movedTo && !stop.withOther

type ToLoad = Pick<CrewStop, 'status' | 'movedTo' | 'withOther' | 'street' | 'services' | 'treatment' | 'load'>
type DayToLoad = { stops: readonly ToLoad[] } & Pick<CrewDayPlan, 'check'>

const withoutMix = (load: DayLoad, name: string): void => {
  for (const work of load.work) if (work.name === name) work.withoutMix = true
}

/** @returns the list of a day; of stops that are over, or whose treatment is written down already, nothing is loaded */
export const loadOf = (plan: DayToLoad): DayLoad => {
  const load: DayLoad = {
    work: [],
    products: [],
    waterGallons: 0,
    materials: [],
    weight: null,
    unmeasured: [],
    equipment: (plan.check?.equipment ?? []).map(({ name, out }) => ({ name, out })),
  }
  for (const stop of plan.stops.filter(isToLoad)) {
    for (const name of stop.services) {
      const work = load.work.find((one) => one.name === name)
      if (work) work.stops += 1
      else load.work.push({ name, stops: 1, withoutMix: false })
    }
    const isTreated = (stop.treatment?.records ?? 0) > 0
    const unmeasured: string[] = []
    for (const { kind, name, unit, amount, pack } of stop.load ?? []) {
      if (kind !== 'material' && isTreated) continue
      if (kind === 'unset') withoutMix(load, name)
      else if (amount === null) {
        if (kind !== 'water') unmeasured.push(name)
      } else if (kind === 'water') load.waterGallons = plus(load.waterGallons, amount)
      else added(kind === 'product' ? load.products : load.materials, { name, unit, amount, pack })
    }
    if (unmeasured.length > 0) load.unmeasured.push({ street: stop.street, names: unmeasured })
  }
  load.work.sort((a, b) => b.stops - a.stops || byName(a, b))
  load.products.sort(byName)
  load.materials.sort(byName)
  load.weight = weightOfLoad(load)
  return load
}

const bigger: Record<string, { unit: string; of: number } | undefined> = {
  'fl oz': { unit: 'gal', of: 128 },
  oz: { unit: 'lb', of: 16 },
  ml: { unit: 'l', of: 1000 },
  g: { unit: 'kg', of: 1000 },
}

/** The same amount as it is bought, from half of such a unit on; null for what is in it already, or is less. */
export const inBigger = ({
  unit,
  amount,
}: Pick<LoadLine, 'unit' | 'amount'>): { unit: string; amount: number } | null => {
  const to = bigger[unit]
  if (!to || amount < to.of / 2) return null
  return { unit: to.unit, amount: Math.round((amount / to.of) * 10) / 10 }
}

/** Whether there is anything to load for a day, be it the machines. */
export const hasLoad = (plan: DayToLoad): boolean => isLoaded(loadOf(plan))

/** Whether a list says anything. */
export const isLoaded = ({ work, products, waterGallons, materials, unmeasured, equipment }: DayLoad): boolean => {
  const things = [products, materials, unmeasured, equipment]
  return work.length > 0 && (waterGallons > 0 || things.some(({ length }) => length > 0))
}

/** The day whose load is asked for: the next one with stops to work after today. */
export const nextWorkDay = (days: readonly CrewDayPlan[], today: string): CrewDayPlan | null =>
  days.find(({ day, stops }) => day > today && stops.some(isToLoad)) ?? null
