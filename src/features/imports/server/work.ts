import type { SystemActor } from '../../../platform/actor.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import type { Day } from '../../../shared/dates.ts'
import { openBalancesTx } from '../../invoices/opening/server/commands.ts'
import { billToOf } from '../../invoices/rules.ts'
import { frequencyOf } from '../../jobs/rules.ts'
import { createJobsTx, type NewJob } from '../../jobs/server/commands.ts'
import { flatPriceRule } from '../../services/defaults/rules.ts'
import { measureOf, type Sizes } from '../../services/measures/rules.ts'
import { budgetMinutesFor, priceFor } from '../../services/rules.ts'
import { createServiceTx } from '../../services/server/commands.ts'
import { listServices, type PricedService } from '../../services/server/queries.ts'
import type { ImportValues } from '../rows/rules.ts'
import type { ImportedJob, ImportedLine } from './work-cells.ts'

/** The jobs and the opening balances of an import. */

type Place = Sizes & { difficulty: number }

/** What a program calls a customer, apart from what other programs call theirs; null where it has no number of its own. */
export const sourceKeyOf = (preset: string, externalId: string | null): string | null =>
  externalId === null ? null : `${preset || 'file'}:${externalId}`

/** Price of a visit in cents: what the file says, else the rule of the service; null when neither says. */
export const lineCost = (line: ImportedLine, service: PricedService | undefined, place: Place): number | null =>
  line.priceCents ??
  (service
    ? priceFor(service.priceRule, {
        ...measureOf(service, place),
        difficulty: place.difficulty,
        frequency: frequencyOf(line.recurrence),
      }).cents
    : null)

/** The services of the business by their names in lower case; where two share a name, the first of the catalog. */
export const servicesByName = async (db: TenantDb): Promise<Map<string, PricedService>> => {
  const found = new Map<string, PricedService>()
  for (const service of await listServices(db)) {
    const name = service.name.toLowerCase()
    if (!found.has(name)) found.set(name, service)
  }
  return found
}

const looksLikeMowing = (name: string): boolean =>
  /\b(mow|mowing|cut|lawn care|lawn service|lawn maintenance)\b/i.test(name)

/** Adds the services that a file names and the business does not have: at the price of the first job that asks for each. */
const addServices = async (
  db: TenantDb,
  who: SystemActor,
  services: Map<string, PricedService>,
  jobs: readonly { job: ImportedJob }[],
): Promise<string[]> => {
  const made: string[] = []
  for (const line of jobs.flatMap(({ job }) => job.lines)) {
    const key = line.service.toLowerCase()
    if (services.has(key)) continue
    const service = await createServiceTx(db, who, {
      name: line.service,
      nameEs: '',
      description: '',
      category: looksLikeMowing(line.service) ? 'mow' : 'other',
      unit: 'visit',
      measuredBy: 'lawn',
      priceRule: flatPriceRule(line.priceCents ?? 0),
      timeRule: {
        fixedMinutes: line.minutes ?? 30,
        minutesPerKsqft: 0,
        minutesPerUnit: 0,
        difficultyPercent: [100, 100, 100, 100, 100],
      },
      taxCategory: 'lawn',
      checklist: [],
      photoRequired: false,
      soldAtDoor: false,
      minGapDays: 0,
      skills: [],
    })
    services.set(key, service)
    made.push(service.id)
  }
  return made
}

export type JobRow = { job: ImportedJob; customerId: string; propertyId: string; place: Place; archived: boolean }

/**
 * Books the jobs of some rows, those of customers who came in archived as drafts that make no visits.
 * @returns the services that had to be made for them
 */
export const writeJobsTx = async (
  db: TenantDb,
  who: SystemActor,
  importId: string,
  rows: readonly JobRow[],
): Promise<string[]> => {
  if (rows.length === 0) return []
  const services = await servicesByName(db)
  const made = await addServices(db, who, services, rows)
  const specs = rows.map(
    ({ job, customerId, propertyId, place, archived }): NewJob => ({
      customerId,
      propertyId,
      title: job.title || [...new Set(job.lines.map((line) => line.service))].join(', ').slice(0, 160),
      instructions: job.instructions,
      poNumber: job.poNumber,
      billing: job.billing,
      crewId: null,
      startOn: job.startOn,
      endOn: job.endOn,
      status: archived ? 'draft' : job.status,
      pausedUntil: job.status === 'paused' && !archived ? job.pausedUntil : null,
      batchId: null,
      importId,
      lines: job.lines.flatMap((line) => {
        const service = services.get(line.service.toLowerCase())
        if (!service) return []
        return [
          {
            serviceId: service.id,
            description: line.description,
            quantity: line.quantity,
            unitPriceCents: lineCost(line, service, place) ?? 0,
            budgetMinutes:
              line.minutes ??
              budgetMinutesFor(service, {
                ...measureOf(service, place),
                difficulty: place.difficulty,
                quantity: line.quantity,
              }),
            recurrence: line.recurrence,
            onceOn: line.onceOn,
            undated: line.undated,
          },
        ]
      }),
    }),
  )
  await createJobsTx(db, who, specs)
  return made
}

export type BalanceRow = { values: ImportValues; customerId: string; cents: number; on: Day }

/** Issues what customers owed elsewhere; see `openBalancesTx`. */
export const writeBalancesTx = async (
  db: TenantDb,
  who: SystemActor,
  importId: string,
  from: string,
  rows: readonly BalanceRow[],
): Promise<void> => {
  await openBalancesTx(
    db,
    who,
    rows.map(({ values: v, customerId, cents, on }) => ({
      customerId,
      cents,
      on,
      from,
      importId,
      billTo: billToOf(
        { ...v, name: v.name },
        v.street === '' ? null : { street: v.street, city: v.city, state: v.state, zip: v.zip },
      ),
    })),
  )
}
