import { isTerminal } from '../../visits/rules.ts'
import type { CrewDayPlan, CrewStop } from '../contract.ts'

/** What goes on the truck for a day, from the stops as the phone has them: no signal is needed, and what is done is not loaded again. */

export type LoadLine = { name: string; unit: string; amount: number; stops: number }

export type DayLoad = {
  /** What the day's work is, with how many stops: what is not measured is loaded by it. */
  work: { name: string; stops: number; withoutMix: boolean }[]
  products: LoadLine[]
  waterGallons: number
  materials: LoadLine[]
  /** Stops of which nobody knows how much: the lawn was not measured. */
  unmeasured: { street: string; names: string[] }[]
  equipment: { name: string; out: string | null }[]
}

/** Hundredths are added as whole numbers, so that sums stay what they are. */
const plus = (a: number, b: number): number => Math.round((a + b) * 100) / 100

const added = (lines: LoadLine[], { name, unit, amount }: Omit<LoadLine, 'stops'>): void => {
  const line = lines.find((one) => one.name === name && one.unit === unit)
  if (!line) lines.push({ name, unit, amount: plus(0, amount), stops: 1 })
  else {
    line.amount = plus(line.amount, amount)
    line.stops += 1
  }
}

const byName = (a: { name: string }, b: { name: string }): number => a.name.localeCompare(b.name)

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
    for (const { kind, name, unit, amount } of stop.load ?? []) {
      if (kind !== 'material' && isTreated) continue
      if (kind === 'unset') withoutMix(load, name)
      else if (amount === null) {
        if (kind !== 'water') unmeasured.push(name)
      } else if (kind === 'water') load.waterGallons = plus(load.waterGallons, amount)
      else added(kind === 'product' ? load.products : load.materials, { name, unit, amount })
    }
    if (unmeasured.length > 0) load.unmeasured.push({ street: stop.street, names: unmeasured })
  }
  load.work.sort((a, b) => b.stops - a.stops || byName(a, b))
  load.products.sort(byName)
  load.materials.sort(byName)
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
