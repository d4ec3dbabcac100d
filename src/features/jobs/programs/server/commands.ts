import type { Actor, Who } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { requireVersion } from '../../../../platform/db/version.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { newId } from '../../../../platform/ids.ts'
import { refuse } from '../../../../shared/can.ts'
import { invalid, notFound } from '../../../../shared/errors.ts'
import { getServices } from '../../../services/server/queries.ts'
import type { JobDraft, JobRecord } from '../../contract.ts'
import { getCalendar } from '../../schedule/server/queries.ts'
import { createJobTx } from '../../server/commands.ts'
import { getJob } from '../../server/queries.ts'
import type { ProgramDraft, ProgramRecord, PutOn } from '../contract.ts'
import { windowsOf, yearsAhead } from '../rules.ts'
import { findProgramJob, getProgram, stepsOf } from './queries.ts'

const entity = (id: string) => ({ type: 'program', id })

const lockProgram = async (db: TenantDb, id: string) => {
  const row = await db
    .selectFrom('programs')
    .select(['id', 'name', 'renews', 'version', 'archivedAt'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw notFound('program')
  return row
}

const assertServices = (db: TenantDb, { steps }: ProgramDraft) =>
  getServices(
    db,
    steps.map((step) => step.serviceId),
  )

/** Adds a program to what the business offers. */
export const addProgramTx = async (db: TenantDb, who: Who, draft: ProgramDraft): Promise<string> => {
  await assertServices(db, draft)
  const id = newId()
  const now = clock.iso()
  await db
    .insertInto('programs')
    .values({
      businessId: db.businessId,
      id,
      name: draft.name,
      steps: JSON.stringify(draft.steps),
      renews: draft.renews,
      createdAt: now,
      updatedAt: now,
    })
    .execute()
  await audit(db, who, 'program.create', entity(id), { after: { name: draft.name, rounds: draft.steps.length } })
  await publishChange(db, 'services', [id])
  return id
}

export const addProgram = (actor: Actor, draft: ProgramDraft): Promise<ProgramRecord> =>
  withTenant(actor, async (db) => getProgram(db, actor, await addProgramTx(db, actor, draft)))

const write = async (
  db: TenantDb,
  actor: Actor,
  row: { id: string; version: number },
  change: { name?: string; steps?: string; renews?: boolean; archivedAt?: string | null },
  action: string,
): Promise<ProgramRecord> => {
  await db
    .updateTable('programs')
    .set({ ...change, version: row.version + 1, updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('id', '=', row.id)
    .execute()
  await audit(db, actor, action, entity(row.id), { after: change })
  await publishChange(db, 'services', [row.id])
  return getProgram(db, actor, row.id)
}

const archivedRefusal = (row: { archivedAt: string | null }): string | null =>
  row.archivedAt ? 'This program is archived. Restore it first. Nothing was changed.' : null

/** Jobs keep the rounds they were made with. */
export const changeProgram = (
  actor: Actor,
  id: string,
  { version, ...draft }: ProgramDraft & { version: number },
): Promise<ProgramRecord> =>
  withTenant(actor, async (db) => {
    const row = await lockProgram(db, id)
    requireVersion(row, version, 'this program')
    refuse(archivedRefusal(row))
    await assertServices(db, draft)
    return write(
      db,
      actor,
      row,
      { name: draft.name, steps: JSON.stringify(draft.steps), renews: draft.renews },
      'program.update',
    )
  })

export const archiveProgram = (actor: Actor, id: string, version: number, archived: boolean): Promise<ProgramRecord> =>
  withTenant(actor, async (db) => {
    const row = await lockProgram(db, id)
    requireVersion(row, version, 'this program')
    if ((row.archivedAt !== null) === archived) return getProgram(db, actor, id)
    const archivedAt = archived ? clock.iso() : null
    return write(db, actor, row, { archivedAt }, archived ? 'program.archive' : 'program.restore')
  })

/**
 * Puts a program on a property: a job with a line a round. What is past already is left out.
 * @throws AppError not_found, validation_failed, state_conflict where it is on for that year
 */
export const putOnProgramTx = async (
  db: TenantDb,
  who: Who,
  programId: string,
  input: PutOn,
  kept: Pick<JobDraft, 'poNumber' | 'billing'> = { poNumber: '', billing: 'per_visit' },
): Promise<string> => {
  const { propertyId, year, crewId, instructions } = input
  const row = await lockProgram(db, programId)
  refuse(archivedRefusal(row))
  const { today } = await getCalendar(db)
  const present = Number(today.slice(0, 4))
  if (year < present - 1 || year > present + yearsAhead)
    throw invalid([{ path: 'year', message: `Choose a year from ${present - 1} to ${present + yearsAhead}.` }])
  // The program is locked, so that a second tab does not put it on beside this one.
  const there = await findProgramJob(db, { programId, propertyId, year })
  refuse(
    there ? `${row.name} runs at this property in ${year} already: job J-${there.number}. Nothing was changed.` : null,
    there ? { jobId: there.id } : {},
  )
  const steps = await stepsOf(db, programId)
  const windows = windowsOf(steps, year)
  const lines = steps.flatMap((step, at) => {
    const own = windows[at]
    if (!own || own.closesOn < today) return []
    return [
      {
        serviceId: step.serviceId,
        description: step.name,
        quantity: 1,
        ...(step.priceCents === null ? {} : { unitPriceCents: step.priceCents }),
        ...(step.minutes === null ? {} : { budgetMinutes: step.minutes }),
        recurrence: null,
        onceOn: null,
        undated: { kind: 'step' as const, name: step.name, ...own, minGapDays: step.minGapDays },
        movesPhase: false,
      },
    ]
  })
  if (lines.length === 0)
    throw invalid([{ path: 'year', message: `Every window of ${year} is past. Choose a later year.` }])
  return createJobTx(
    db,
    who,
    {
      propertyId,
      title: row.name,
      instructions,
      ...kept,
      crewId,
      startOn: today,
      endOn: null,
      lines,
      draft: false,
      includePast: false,
      pastDone: false,
    },
    { programId, programYear: year, programRenews: input.renews ?? row.renews },
  )
}

export const putOnProgram = (actor: Actor, programId: string, input: PutOn): Promise<JobRecord> =>
  withTenant(actor, async (db) => getJob(db, actor, await putOnProgramTx(db, actor, programId, input)))
