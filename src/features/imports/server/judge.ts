import type { TenantDb } from '../../../platform/db/tenant.ts'
import { newId } from '../../../platform/ids.ts'
import type { Day } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import type { CustomField } from '../../customers/custom/rules.ts'
import type { ImportPlace, ImportTarget } from '../../customers/server/bulk/queries.ts'
import { findImportTargets, listPlacesOf } from '../../customers/server/bulk/queries.ts'
import { findDuplicatesTx } from '../../customers/server/queries.ts'
import { listOpeningBalances } from '../../invoices/opening/server/queries.ts'
import { type KnownJob, listJobsOf } from '../../jobs/imported/server/queries.ts'
import { noMeasure, unmeasured } from '../../services/measures/rules.ts'
import type { PricedService } from '../../services/server/queries.ts'
import { duplicateReason, type ImportValues, noStreet, type RowProblem, readRow } from '../rows/rules.ts'
import type { Mapping } from '../rules.ts'
import { findSameJob } from './doubles.ts'
import { readOwn } from './own-cells.ts'
import { listAddressKeys } from './queries.ts'
import { inOurNames, type Unknown } from './services.ts'
import { lineCost, sourceKeyOf } from './work.ts'
import { readWork, type Work } from './work-cells.ts'

/** The dry run: each row is judged, told whom it is about, and given its ids. */

type Place = Pick<ImportPlace, 'id' | 'lawnSquareFeet' | 'bedSquareFeet' | 'edgeFeet' | 'difficulty'>
type Person = {
  customerId: string
  line: number
  name: string
  /** They were there before this file. */
  known: boolean
  /** In the archive until this row. */
  archived: boolean
  places: Map<string, Place>
  balance: { cents: number; line: number } | null
  /** What was there before this file: jobs that go on, and what earlier files said they owed. */
  jobs: readonly KnownJob[]
  openedCents: number
  /** The jobs that this file brings, word for word, and the line of each. */
  broughtJobs: Map<string, number>
}
type Before = { places: readonly ImportPlace[]; jobs: readonly KnownJob[]; openedCents: number }

/** Remembers who and which addresses came earlier in the file. */
export class Seen {
  readonly #people = new Map<string, Person>()
  readonly #addresses = new Map<string, Person>()
  readonly #known = new Map<string, Person>()
  readonly #names = new Map<string, Person | null>()

  /** The earlier row's customer when it is the same person: the same number in their program, or the same name with the same e-mail or phone. */
  samePerson(v: ImportValues, trustsIds: boolean): Person | undefined {
    if (v.externalId !== null) {
      const same = this.#people.get(`id:${v.externalId}`)
      if (same || trustsIds) return same
    }
    return this.#keys(v, v.name)
      .map((key) => this.#people.get(key))
      .find((person) => person !== undefined)
  }

  /** Somebody of the file by their name alone, where only one has it. */
  byName(name: string): Person | undefined {
    return this.#names.get(name.toLowerCase()) ?? undefined
  }

  byAddress(address: string): Person | undefined {
    return address === '' ? undefined : this.#addresses.get(address)
  }

  /** Somebody who was there before, with what the file has added to them so far. */
  knownPerson(target: ImportTarget, there: Before, line: number): Person {
    const earlier = this.#known.get(target.customerId)
    if (earlier) return earlier
    const person: Person = {
      customerId: target.customerId,
      line,
      name: target.name,
      known: true,
      archived: target.archived,
      places: new Map(there.places.map((place) => [place.addressKey, place])),
      balance: null,
      jobs: there.jobs,
      openedCents: there.openedCents,
      broughtJobs: new Map(),
    }
    this.#known.set(target.customerId, person)
    return person
  }

  /** An earlier row that is taken for this one: the same address, or the same e-mail or phone under another name. */
  duplicate(v: ImportValues, address: string): RowProblem | null {
    const there = this.byAddress(address)
    if (there) return { field: 'street', message: `Same address as line ${there.line} (${there.name}).` }
    for (const [field, key] of [
      ['email', v.email],
      ['phone', v.phone],
    ] as const) {
      const other = key === null ? undefined : this.#people.get(`${field}:${key}`)
      if (other)
        return {
          field,
          message: `Same ${field === 'email' ? 'e-mail' : 'phone'} as line ${other.line} (${other.name}).`,
        }
    }
    return null
  }

  add(v: ImportValues, address: string, person: Person): void {
    if (v.externalId !== null) this.#people.set(`id:${v.externalId}`, person)
    for (const key of [...this.#keys(v, v.name), ...this.#keys(v, null)])
      if (!this.#people.has(key)) this.#people.set(key, person)
    if (address !== '') this.#addresses.set(address, person)
    const name = v.name.toLowerCase()
    const named = this.#names.get(name)
    this.#names.set(name, named === undefined || named === person ? person : null)
  }

  #keys(v: ImportValues, name: string | null): string[] {
    const prefix = name === null ? '' : `${name.toLowerCase()}\n`
    return [
      ...(v.email === null ? [] : [`${prefix}email:${v.email}`]),
      ...(v.phone === null ? [] : [`${prefix}phone:${v.phone}`]),
    ]
  }
}

export type Judged = {
  line: number
  status: 'ok' | 'error' | 'duplicate'
  reasons: RowProblem[]
  customerId: string | null
  propertyId: string | null
  attached: boolean
  matchId: string | null
  brings: ('job' | 'balance')[]
  balanceCents: number
}

export type Judging = {
  mapping: Mapping
  preset: string
  today: Day
  seen: Seen
  customFields: readonly CustomField[]
  services: ReadonlyMap<string, PricedService>
  /** How the business calls what the file calls otherwise, and what it does not have at all. */
  names: ReadonlyMap<string, string>
  unknown: Unknown
  /** Who has a number of their own in this file is nobody else, whatever else is the same: it is a file of ours. */
  trustsIds: boolean
  /** The books hold open invoices themselves: they would be owed twice. */
  hasBooks: boolean
  /** How many customers can still come out of the archive; null is no limit. */
  room: number | null
}

const none = { customerId: null, propertyId: null, attached: false, matchId: null, brings: [], balanceCents: 0 }

type Read = {
  line: number
  values: ImportValues
  problems: RowProblem[]
  leftOut: RowProblem[]
  lacksStreet: boolean
  work: Work
  /** The job with its services as the file calls them. */
  named: Work['job']
}

const readAll = (
  rows: readonly { line: number; data: string[] }[],
  { mapping, today, hasBooks, customFields, names }: Judging,
): Read[] =>
  rows.map(({ line, data }) => {
    const { values, problems, leftOut } = readRow(data, mapping, customFields)
    const read = readWork(data, mapping, today)
    const work = { ...read, job: inOurNames(read.job, names) }
    const isOwed = work.balanceCents > 0
    return {
      line,
      values,
      named: read.job,
      problems: problems.filter(({ message }) => message !== noStreet),
      lacksStreet: values.street === '',
      leftOut: [
        ...leftOut,
        ...work.problems,
        ...readOwn(data, mapping).problems,
        ...(isOwed && hasBooks
          ? [
              {
                field: 'openBalance' as const,
                message: `${formatCents(work.balanceCents)} is not brought in: QuickBooks is connected and has these invoices.`,
              },
            ]
          : []),
      ],
      work: isOwed && hasBooks ? { ...work, balanceCents: 0 } : work,
    }
  })

/** The place of a row's job, or why there is none. */
const placeOfRow = (
  person: Person,
  row: Read,
  address: string,
): { place: Place | null; problem: RowProblem | null } => {
  const { values } = row
  if (!row.lacksStreet) {
    const known = person.places.get(address)
    if (known) return { place: known, problem: null }
    const place = { id: newId(), ...unmeasured, lawnSquareFeet: values.lawnSquareFeet, difficulty: 1 }
    person.places.set(address, place)
    return { place, problem: null }
  }
  const [only, second] = [...person.places.values()]
  if (only && !second) return { place: only, problem: null }
  if (row.work.job === null) return { place: null, problem: null }
  return {
    place: null,
    problem: {
      field: 'street',
      message: only
        ? `${person.name} has ${person.places.size} properties and the row does not say which. The job was not booked.`
        : `${person.name} has no address, so the job was not booked.`,
    },
  }
}

/** What stands where nothing says what a service costs there. */
const noPriceOf = (name: string, services: Judging['services']): string => {
  const measuredBy = services.get(name.toLowerCase())?.measuredBy ?? 'lawn'
  return measuredBy === 'lawn'
    ? `"${name}" has no price.`
    : `"${name}" has no price: it goes by ${measuredBy}, and this property has ${noMeasure[measuredBy]}.`
}

/** What of a row's work is taken, and why not the rest. */
const takeWork = (person: Person, row: Read, place: Place | null, { services, trustsIds }: Judging) => {
  const brings: Judged['brings'] = []
  const reasons: RowProblem[] = []
  const doubles: RowProblem[] = []
  const { job, balanceCents } = row.work
  const wordForWord = JSON.stringify([place?.id, row.named])
  // a file of ours holds each job once, also where two are alike
  const earlier = trustsIds ? undefined : person.broughtJobs.get(wordForWord)
  if (job !== null && earlier !== undefined)
    doubles.push({ field: 'jobService', message: `Line ${earlier} brings the same job of ${person.name}; left out.` })
  else if (job !== null && place !== null && findSameJob(person.jobs, place.id, job))
    doubles.push({
      field: 'jobService',
      message: `${person.name} has the job "${job.title || job.lines[0]?.service}" already; left out.`,
    })
  else if (job !== null && place !== null) {
    const unpriced = job.lines.find((line) => lineCost(line, services.get(line.service.toLowerCase()), place) === null)
    if (unpriced)
      reasons.push({ field: 'jobPrice', message: `${noPriceOf(unpriced.service, services)} The job was not booked.` })
    else {
      person.broughtJobs.set(wordForWord, row.line)
      brings.push('job')
    }
  }
  if (balanceCents > 0 && person.openedCents > 0)
    doubles.push({
      field: 'openBalance',
      message: `${person.name} has an opening balance of ${formatCents(person.openedCents)} already; left out.`,
    })
  else if (balanceCents > 0) {
    const before = person.balance
    if (before === null) {
      person.balance = { cents: balanceCents, line: row.line }
      brings.push('balance')
    } else if (before.cents !== balanceCents)
      reasons.push({
        field: 'openBalance',
        message: `Line ${before.line} says ${formatCents(before.cents)} for the same customer, this one ${formatCents(balanceCents)}. The first is taken.`,
      })
  }
  return { brings, reasons, doubles }
}

const judgeRow = (
  row: Read,
  context: Judging,
  found: {
    address: string
    duplicate: Awaited<ReturnType<typeof findDuplicatesTx>> extends Map<number, (infer D)[]> ? D | undefined : never
    byKey: ImportTarget | undefined
    byName: ImportTarget | undefined
    before: (customerId: string) => Before
  },
): Judged => {
  const { seen } = context
  const { values, line, work } = row
  const { address } = found
  const error = (reasons: RowProblem[]): Judged => ({ line, status: 'error', reasons, ...none })
  if (row.problems.length > 0)
    return error(row.lacksStreet ? [...row.problems, { field: 'street', message: noStreet }] : row.problems)
  const wantsWork = work.job !== null || work.balanceCents > 0
  const saysWork = wantsWork || row.work.problems.length > 0
  const nameless = values.email === null && values.phone === null
  const isSure = context.trustsIds && values.externalId !== null
  const person =
    seen.samePerson(values, context.trustsIds) ??
    (saysWork && !isSure ? seen.byAddress(address) : undefined) ??
    (saysWork && nameless && row.lacksStreet && !isSure ? seen.byName(values.name) : undefined)
  const target =
    person?.known === false && saysWork
      ? undefined
      : (found.byKey ??
        (found.duplicate && {
          customerId: found.duplicate.customerId,
          name: found.duplicate.name,
          archived: found.duplicate.archived,
        }) ??
        (saysWork && nameless && row.lacksStreet ? found.byName : undefined))
  if (target && !saysWork)
    return {
      line,
      status: 'duplicate',
      reasons: [
        found.byKey
          ? { field: 'externalId', message: `${target.name} came in with an earlier file.` }
          : duplicateReason(
              found.duplicate ?? { name: target.name, street: null, archived: target.archived, matches: [] },
            ),
      ],
      ...none,
      matchId: target.customerId,
    }
  if (target) {
    const known = seen.knownPerson(target, found.before(target.customerId), line)
    const { place, problem } = placeOfRow(known, row, address)
    const { brings, reasons, doubles } = takeWork(known, row, place, context)
    const all = [...doubles, ...row.leftOut, ...(problem ? [problem] : []), ...reasons]
    const isDouble = doubles.length > 0 && problem === null && row.work.problems.length + reasons.length === 0
    if (brings.length === 0 && isDouble)
      return { line, status: 'duplicate', reasons: all, ...none, matchId: known.customerId }
    // nothing new of somebody who is there: it is named, or it was said on an earlier row
    if (brings.length === 0)
      return all.length > 0
        ? error(all)
        : {
            line,
            status: 'duplicate',
            reasons: [{ field: 'name', message: `${known.name} is there, and line ${known.line} says the same.` }],
            ...none,
            matchId: known.customerId,
          }
    if (known.archived && !values.isArchived) {
      const message = `${known.name} is in the archive`
      if (context.room !== null && context.room <= 0)
        return error([{ field: 'archived', message: `${message}, and your plan holds no more customers. Left out.` }])
      if (context.room !== null) context.room -= 1
      known.archived = false
      all.unshift({ field: 'archived', message: `${message} and comes back with this row.` })
    }
    seen.add(values, address, known)
    return {
      line,
      status: 'ok',
      reasons: all,
      customerId: known.customerId,
      propertyId: place?.id ?? null,
      attached: true,
      matchId: null,
      brings,
      balanceCents: brings.includes('balance') ? work.balanceCents : 0,
    }
  }
  if (person === undefined) {
    if (row.lacksStreet && values.externalId === null)
      return error([{ field: 'street', message: noStreet }, ...row.work.problems])
    const same = isSure ? null : seen.duplicate(values, address)
    if (same) return { line, status: 'duplicate', reasons: [same], ...none }
  } else if (!saysWork) {
    const same = isSure ? null : seen.duplicate({ ...values, email: null, phone: null }, address)
    if (same) return { line, status: 'duplicate', reasons: [same], ...none }
  }
  const customer: Person = person ?? {
    customerId: newId(),
    line,
    name: values.name,
    known: false,
    archived: false,
    places: new Map(),
    balance: null,
    jobs: [],
    openedCents: 0,
    broughtJobs: new Map(),
  }
  const { place, problem } = placeOfRow(customer, row, address)
  const { brings, reasons, doubles } = takeWork(customer, row, place, context)
  const isRepeat = person !== undefined && doubles.length > 0 && brings.length === 0
  if (isRepeat && problem === null && row.work.problems.length + reasons.length === 0)
    return { line, status: 'duplicate', reasons: [...doubles, ...row.leftOut], ...none }
  seen.add(values, address, customer)
  return {
    line,
    status: 'ok',
    reasons: [...doubles, ...row.leftOut, ...(problem ? [problem] : []), ...reasons],
    customerId: customer.customerId,
    propertyId: place?.id ?? null,
    attached: customer.known,
    matchId: null,
    brings,
    balanceCents: brings.includes('balance') ? work.balanceCents : 0,
  }
}

export const judgeChunk = async (
  db: TenantDb,
  rows: readonly { line: number; data: string[] }[],
  context: Judging,
): Promise<Judged[]> => {
  const read = readAll(rows, context)
  const values = read.map((row) => row.values)
  const addresses = await listAddressKeys(db, values)
  const duplicates = await findDuplicatesTx(db, values)
  const { byKey, byName } = await findImportTargets(
    db,
    values.map((v) => ({ sourceKey: sourceKeyOf(context.preset, v.externalId), name: v.name })),
  )
  const ids = new Set([
    ...[...byKey.values(), ...byName.values()].map((one) => one.customerId),
    ...[...duplicates.values()].flatMap(([first]) => (first ? [first.customerId] : [])),
  ])
  const places = Map.groupBy(await listPlacesOf(db, [...ids]), (place) => place.customerId)
  const bringsWork = read.some(({ work }) => work.job !== null || work.balanceCents > 0)
  const jobs = Map.groupBy(bringsWork ? await listJobsOf(db, [...ids]) : [], (job) => job.customerId)
  const opened = bringsWork ? await listOpeningBalances(db, [...ids]) : new Map<string, number>()
  const judged = read.map((row, at) =>
    judgeRow(row, context, {
      address: addresses[at] ?? '',
      duplicate: duplicates.get(at)?.[0],
      byKey: byKey.get(at),
      byName: byName.get(at),
      before: (id) => ({
        places: places.get(id) ?? [],
        jobs: jobs.get(id) ?? [],
        openedCents: opened.get(id) ?? 0,
      }),
    }),
  )
  for (const [at, { status }] of judged.entries()) {
    const job = read[at]?.named
    if (job && status === 'ok') context.unknown.add(job)
  }
  return judged
}
