import type { PricedService } from '../../services/server/queries.ts'
import { mostNewServices, type NewService } from '../contract.ts'
import type { ImportedJob } from './work-cells.ts'

/** What a file calls a service, and which of ours it is. */

type Ours = ReadonlyMap<string, Pick<PricedService, 'id' | 'name'>>

const keyOf = (name: string): string => name.toLowerCase()

/** Our name for each service that a person said is one of ours, by the file's name in lower case; a service that is gone is none. */
export const ourNames = (chosen: readonly NewService[], services: Ours): ReadonlyMap<string, string> => {
  const byId = new Map([...services.values()].map(({ id, name }) => [id, name]))
  return new Map(
    chosen.flatMap(({ name, serviceId }) => {
      const ours = serviceId === null ? undefined : byId.get(serviceId)
      return ours === undefined ? [] : [[keyOf(name), ours] as const]
    }),
  )
}

/** A job with its services called as the business calls them. */
export const inOurNames = <J extends ImportedJob | null>(job: J, names: ReadonlyMap<string, string>): J =>
  job === null || names.size === 0
    ? job
    : { ...job, lines: job.lines.map((line) => ({ ...line, service: names.get(keyOf(line.service)) ?? line.service })) }

/** Counts which services a file names that the business does not have. */
export class Unknown {
  readonly #found = new Map<string, { name: string; jobs: number }>()

  readonly #services: Ours

  constructor(services: Ours) {
    this.#services = services
  }

  add(job: ImportedJob): void {
    for (const name of new Set(job.lines.map((line) => line.service))) {
      const key = keyOf(name)
      if (this.#services.has(key)) continue
      const one = this.#found.get(key)
      if (one) one.jobs += 1
      else this.#found.set(key, { name, jobs: 1 })
    }
  }

  /** The most wanted first, each with what was chosen for it before. */
  list(chosen: readonly NewService[]): NewService[] {
    const before = new Map(chosen.map(({ name, serviceId }) => [keyOf(name), serviceId]))
    const ours = new Set([...this.#services.values()].map(({ id }) => id))
    return [...this.#found]
      .map(([key, { name, jobs }]) => {
        const serviceId = before.get(key) ?? null
        return { name, jobs, serviceId: serviceId !== null && ours.has(serviceId) ? serviceId : null }
      })
      .sort((a, b) => b.jobs - a.jobs)
      .slice(0, mostNewServices)
  }
}
