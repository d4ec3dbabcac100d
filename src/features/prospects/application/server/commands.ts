import { clock } from '../../../../platform/clock.ts'
import { config } from '../../../../platform/config.ts'
import { type ProspectsDb, withProspects } from '../../../../platform/db/prospects.ts'
import { conflict, invalid, notFound } from '../../../../shared/errors.ts'
import { firstNameOf } from '../../../../shared/names.ts'
import { calendarOf } from '../../calls/server/letters.ts'
import { listCallsOfApplication, listCallsOfLead, toCall } from '../../calls/server/queries.ts'
import { queueProspectMessage } from '../../outbox/server/commands.ts'
import { findToken, type TokenTarget } from '../../server/tokens.ts'
import type { SprintStatus } from '../../sprint/rules.ts'
import { openSprint } from '../../sprint/server/commands.ts'
import { findSprint, getPlaces, statusUrl, toSprint } from '../../sprint/server/queries.ts'
import type { Application } from '../contract.ts'
import { type Answers, firstOpenQuestion, missingAnswers, readableAnswers, tidyAnswers } from '../rules.ts'

const open = async (db: ProspectsDb, token: string) => {
  const target = await findToken(db, token, 'browser', 'application')
  if (!target) throw notFound('application')
  const row = await db
    .selectFrom('applications')
    .selectAll()
    .where('id', '=', target.entityId)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw notFound('application')
  return { target, row }
}

type Opened = Awaited<ReturnType<typeof open>>

/**
 * What became of the application of a browser. It hears of its own only: where another application was sent under the same address it hears
 * nothing, so that nobody learns about somebody else by typing their address.
 */
const decisionFor = async (db: ProspectsDb, row: Opened['row'], leadId: string): Promise<SprintStatus | null> => {
  if (!row.submittedAt) return null
  const { sent } = await db
    .selectFrom('applications')
    .select((eb) => eb.fn.countAll<number>().as('sent'))
    .where('leadId', '=', leadId)
    .where('submittedAt', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(sent) === 1 ? ((await findSprint(db, leadId))?.status ?? null) : null
}

const view = async (db: ProspectsDb, target: TokenTarget, row: Opened['row']): Promise<Application> => {
  const answers = row.answers as Answers
  const fromMail = target.kind === 'application'
  const rows = fromMail ? await listCallsOfLead(db, target.leadId) : await listCallsOfApplication(db, row.id)
  const calls = []
  for (const call of rows) calls.push({ ...toCall(call), ...(await calendarOf(db, call)) })
  const sprint = fromMail ? await findSprint(db, target.leadId) : undefined
  return {
    answers,
    nextQuestion: firstOpenQuestion(answers),
    submittedAt: row.submittedAt,
    fromMail,
    calls,
    sprint: sprint ? await toSprint(db, sprint) : null,
    decision: sprint ? sprint.status : await decisionFor(db, row, target.leadId),
    places: await getPlaces(db),
  }
}

/** An application by its token. @throws not_found */
export const findApplication = (token: string): Promise<Application> =>
  withProspects(async (db) => {
    const { target, row } = await open(db, token)
    return view(db, target, row)
  })

/** Keeps answers as they are given. @throws state_conflict once it was sent */
export const saveAnswers = (token: string, given: Record<string, string>): Promise<Application> =>
  withProspects(async (db) => {
    const { target, row } = await open(db, token)
    if (row.submittedAt) throw conflict('This application has been sent already. Write to us if something changed.')
    const saved = await db
      .updateTable('applications')
      .set((eb) => ({
        answers: JSON.stringify({ ...(row.answers as Answers), ...tidyAnswers(given) }),
        version: eb('version', '+', 1),
        updatedAt: clock.iso(),
      }))
      .where('id', '=', row.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    return view(db, target, saved)
  })

/** Sends an application: the lead has applied, and both sides get a mail. @throws validation_failed naming what is missing */
export const submitApplication = (token: string): Promise<Application> =>
  withProspects(async (db) => {
    const { target, row } = await open(db, token)
    if (row.submittedAt) return view(db, target, row)
    const answers = row.answers as Answers
    const missing = missingAnswers(answers)
    if (missing.length > 0) throw invalid(missing)
    const now = clock.iso()
    const sent = await db
      .updateTable('applications')
      .set((eb) => ({ submittedAt: now, version: eb('version', '+', 1), updatedAt: now }))
      .where('id', '=', row.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    const lead = await db
      .updateTable('leads')
      .set((eb) => ({ appliedAt: eb.fn.coalesce('appliedAt', eb.val(now)), updatedAt: now }))
      .where('id', '=', target.leadId)
      .returning(['id', 'name', 'email', 'phone'])
      .executeTakeFirstOrThrow()
    await openSprint(db, lead.id)
    const { fromName } = await db.selectFrom('settings').select('fromName').executeTakeFirstOrThrow()
    await queueProspectMessage(db, {
      leadId: lead.id,
      channel: 'email',
      purpose: 'transactional',
      address: lead.email,
      subject: 'We have your application',
      text: `Hello ${firstNameOf(lead.name)},\n\nyour application for the free Setup Sprint is here. We read every one and answer within two working days.\n\nYour page, with your answers and what comes next: ${await statusUrl(db, lead.id)}\n\n${fromName}`,
      dedupeKey: `application:${row.id}:sent`,
    })
    await queueProspectMessage(db, {
      leadId: null,
      channel: 'email',
      purpose: 'internal',
      address: config.supportEmail,
      replyTo: lead.email,
      subject: `Application: ${answers.businessName}, ${lead.name}`,
      text: `${lead.name} (${lead.email}, ${lead.phone}) has applied.\n\n${readableAnswers(answers)
        .map(({ question, answer }) => `${question}\n${answer}`)
        .join('\n\n')}`,
      dedupeKey: `application:${row.id}:internal`,
    })
    return view(db, target, sent)
  })
