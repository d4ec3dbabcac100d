import { sql } from 'kysely'
import type { Actor, Who } from '../../../../../platform/actor.ts'
import { audit } from '../../../../../platform/audit.ts'
import { clock } from '../../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../../platform/db/tenant.ts'
import { requireVersion } from '../../../../../platform/db/version.ts'
import { publishChange } from '../../../../../platform/events/changes.ts'
import { log } from '../../../../../platform/log.ts'
import { refuse } from '../../../../../shared/can.ts'
import { dayOf } from '../../../../../shared/dates.ts'
import { AppError } from '../../../../../shared/errors.ts'
import { linkTo } from '../../../../../shared/links.ts'
import { timeZoneOf } from '../../../../businesses/server/queries.ts'
import { notifyOffice } from '../../../../notifications/server/commands.ts'
import { actOnJobTx } from '../../../server/commands.ts'
import { lockJob } from '../../../server/row.ts'
import type { RenewalRecord } from '../../contract.ts'
import { putOnProgramTx } from '../commands.ts'
import { findProgramJob } from '../queries.ts'
import { getRenewal, isSeasonOver, listDueRenewals, listRenewed, renewalFacts } from './queries.ts'

/** Whether the program of a job goes on with the next season. */
export const setRenewal = (
  actor: Actor,
  jobId: string,
  input: { renews: boolean; version: number },
): Promise<RenewalRecord> =>
  withTenant(actor, async (db) => {
    const job = await lockJob(db, jobId)
    requireVersion(job, input.version, 'this job')
    const { renewedAs, can } = await getRenewal(db, actor, jobId)
    refuse(
      renewedAs
        ? `This season has renewed already: job J-${renewedAs.number}. Nothing was changed.`
        : can.change
          ? null
          : 'This job is over. Reactivate it first. Nothing was changed.',
      renewedAs ? { jobId: renewedAs.id } : {},
    )
    await db
      .updateTable('jobs')
      .set({ programRenews: input.renews, version: job.version + 1, updatedAt: clock.iso() })
      .where('businessId', '=', db.businessId)
      .where('id', '=', jobId)
      .execute()
    await audit(db, actor, 'job.renewal', { type: 'job', id: jobId }, { after: { renews: input.renews } })
    await publishChange(db, 'jobs', [jobId])
    return getRenewal(db, actor, jobId)
  })

/**
 * Makes the next season of a job's program, once: what stands on the job says that it is made. What was put on by hand counts as it.
 * @throws AppError state_conflict where something of it is missing
 */
const renewJobTx = async (db: TenantDb, who: Who, jobId: string): Promise<void> => {
  const job = await lockJob(db, jobId)
  if (!job.programRenews || job.renewedAs !== null) return
  const { row, renewal, refusal, today } = await renewalFacts(db, jobId)
  if (renewal.renewsOn > today) return
  refuse(refusal)
  const { programId, propertyId } = row
  const there = await findProgramJob(db, { programId, propertyId, year: renewal.year })
  const nextId =
    there?.id ??
    (await putOnProgramTx(
      db,
      who,
      programId,
      { propertyId, year: renewal.year, crewId: row.crewId, instructions: row.instructions, renews: true },
      { poNumber: row.poNumber, billing: row.billing },
    ))
  await db
    .updateTable('jobs')
    .set({ renewedAs: nextId, version: job.version + 1, updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('id', '=', jobId)
    .execute()
  await audit(db, who, 'job.renew', { type: 'job', id: jobId }, { after: { renewedAs: nextId, year: renewal.year } })
  await publishChange(db, 'jobs', [jobId, nextId])
}

const chunkSize = 200

/** Renews what is due, each on its own: one that cannot stays for the office to see and holds up no other. */
export const renewDue = async (who: Who): Promise<void> => {
  for (let afterId: string | null = null; ; ) {
    const { ids, lastId } = await withTenant(who, (db) => listDueRenewals(db, afterId, chunkSize))
    for (const id of ids) {
      try {
        await withTenant(who, (db) => renewJobTx(db, who, id))
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        log.info({ jobId: id, reason: error.message }, 'a program was not renewed')
      }
    }
    if (lastId === null) break
    afterId = lastId
  }
  await completeOver(who)
  await withTenant(who, tellOfRenewals)
}

/** A season that has a next one is over with its last round, whenever that is; until then it stays where it is. */
const completeOver = async (who: Who): Promise<void> => {
  for (let afterId = '00000000-0000-0000-0000-000000000000'; ; ) {
    const ids = await withTenant(who, (db) => listRenewed(db, afterId, chunkSize))
    for (const id of ids)
      await withTenant(who, async (db) => {
        const job = await lockJob(db, id)
        if (job.status === 'active' && (await isSeasonOver(db, id))) await actOnJobTx(db, who, id, 'complete')
      })
    const last = ids.at(-1)
    if (ids.length < chunkSize || last === undefined) return
    afterId = last
  }
}

/** The office hears once a day what the night has renewed. */
const tellOfRenewals = async (db: TenantDb): Promise<void> => {
  const zone = await timeZoneOf(db)
  const today = dayOf(clock.now(), zone)
  const { rows } = await sql<{ programId: string; name: string; year: number; count: number }>`
    select n.program_id as "programId", g.name, n.program_year as year, count(*)::int as count
    from jobs j join jobs n on n.business_id = j.business_id and n.id = j.renewed_as
    join programs g on g.business_id = n.business_id and g.id = n.program_id
    where j.business_id = ${db.businessId} and n.created_by is null and (n.created_at at time zone ${zone})::date = ${today}::date
    group by 1, 2, 3 order by 2, 3 limit 50`.execute(db)
  for (const { programId, name, year, count } of rows)
    await notifyOffice(db, {
      type: 'job',
      title: `${name}: ${count} ${count === 1 ? 'job' : 'jobs'} renewed for ${year}`,
      content:
        'With the rounds of today and the prices that the book says for them. Look through them before the season opens.',
      path: linkTo.jobs({ programId, season: year }),
      dedupeKey: `program-renewed:${programId}:${year}:${today}`,
    })
}
