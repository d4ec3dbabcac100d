import { questions } from '../features/prospects/application/rules.ts'
import { saveAnswers, submitApplication } from '../features/prospects/application/server/commands.ts'
import { bookCall } from '../features/prospects/calls/server/commands.ts'
import { listSlots } from '../features/prospects/calls/server/queries.ts'
import { leadsApi } from '../features/prospects/contract.ts'
import { createLead, recordPageView } from '../features/prospects/server/commands.ts'
import { decide } from '../features/prospects/sprint/server/commands.ts'
import { couponsApi } from '../features/subscriptions/coupons/contract.ts'
import { createCoupon } from '../features/subscriptions/coupons/server/commands.ts'
import { clock, resetClock, setClock } from '../platform/clock.ts'
import { withProspects } from '../platform/db/prospects.ts'
import { newId } from '../platform/ids.ts'
import { personName } from './people.ts'

const prospectCount = 36
const dayMs = 86_400_000

const towns = ['Beaufort', 'Statesboro', 'Macon', 'Valdosta', 'Aiken', 'Dothan', 'Ocala', 'Athens', 'Florence']
const kinds = ['Lawn Care', 'Grounds', 'Mowing', 'Turf & Trim', 'Outdoor Services', 'Landscapes']
const campaigns = ['', '', 'spring-start', 'spring-start', 'route-savings', 'neighbors']
const pages = ['/', '/features', '/pricing', '/faq', '/training']

/** Also tells the demo's leads from all others. */
const demoBrowser = 'Mozilla/5.0 (demo)'

const pick = <T>(list: readonly T[], random: () => number): T => list[Math.floor(random() * list.length)] as T

/** What somebody in a hurry answers: the first choice that comes to hand, one line of text. */
const answersOf = (business: string, random: () => number): Record<string, string> =>
  Object.fromEntries(
    questions.flatMap((question) =>
      question.fields.map((field) => {
        if (field.kind === 'choice') return [field.name, pick(field.options, random)]
        if (field.name === 'businessName') return [field.name, business]
        if (field.name === 'role') return [field.name, pick(['Owner', 'Owner and operator', 'Office manager'], random)]
        return [field.name, '']
      }),
    ),
  )

/** What became of the leads of the first weeks: some pay, some try, some said no. Their businesses are not on this machine. */
const makeOutcomes = async (): Promise<void> => {
  const later = (instant: string, days: number): string => new Date(Date.parse(instant) + days * dayMs).toISOString()
  await withProspects(async (db) => {
    const leads = await db
      .selectFrom('leads')
      .select(['id', 'createdAt'])
      .where('userAgent', '=', demoBrowser)
      .where('createdAt', '<', new Date(clock.nowMs() - 21 * dayMs).toISOString())
      .orderBy('createdAt')
      .execute()
    for (const [n, { id, createdAt }] of leads.entries()) {
      const accountAt = later(createdAt, 3)
      const fates = [
        { status: 'converted', accountAt, customerAt: accountAt, paidAt: later(createdAt, 17) },
        { status: 'qualified', accountAt, customerAt: later(createdAt, 5) },
        { status: 'closed' },
        { status: 'qualified', accountAt },
        { status: 'contacted' },
      ] as const
      const fate = fates[n % fates.length]
      if (fate) await db.updateTable('leads').set(fate).where('id', '=', id).execute()
    }
    // Looked at at the desk; those of the last days wait for it.
    await db
      .updateTable('leads')
      .set((eb) => ({ seenAt: eb.ref('createdAt') }))
      .where('userAgent', '=', demoBrowser)
      .where('createdAt', '<', new Date(clock.nowMs() - 5 * dayMs).toISOString())
      .execute()
  })
}

/** The product owner's funnel over the last five weeks, made with its own commands at the times at which things happened. */
export const makeProspects = async (random: () => number): Promise<void> => {
  const now = clock.nowMs()
  await withProspects((db) =>
    db.updateTable('settings').set({ postalAddress: '100 Example Street, Savannah, GA 31401' }).execute(),
  )
  const tokens: string[] = []
  try {
    for (let n = 0; n < prospectCount; n++) {
      const at = now - Math.round((prospectCount - n - random()) * (35 / prospectCount) * dayMs)
      setClock(() => new Date(Math.min(at, now)))
      const name = personName(n * 7 + 3)
      const business = `${pick(towns, random)} ${pick(kinds, random)}`
      const campaign = pick(campaigns, random)
      const google = random() < 0.25
      const visitId = newId()
      const attribution = {
        ...(google ? { utm_source: 'google', utm_medium: 'cpc', gclid: `demo-${n}` } : {}),
        ...(campaign ? { utm_campaign: campaign } : {}),
        isMobile: random() < 0.6,
      }
      const looked = ['/landing', ...pages.filter(() => random() < 0.4)]
      for (const path of looked) await recordPageView(leadsApi.visit.body.parse({ ...attribution, visitId, path }))
      const direct = random() < 0.3
      const { token, leadId } = await createLead(
        leadsApi.create.body.parse({
          ...attribution,
          visitId,
          name,
          email: `${name.toLowerCase().replaceAll(' ', '.')}@${business.toLowerCase().replaceAll(/[^a-z]+/g, '')}.example`,
          phone: `(912) 555-0${String(100 + n)}`,
          source: direct ? 'quote_builder_direct' : 'landing_page',
          platform: attribution.isMobile ? 'iPhone' : 'Win32',
          language: 'en-US',
          screenResolution: attribution.isMobile ? '390x844' : '1920x1080',
          viewport: attribution.isMobile ? '390x664' : '1440x900',
          userAgent: demoBrowser,
          currentUrl: `https://swath.example${direct ? '/application' : '/landing'}`,
          timeZone: pick(['America/New_York', 'America/New_York', 'America/Chicago'], random),
        }),
      )
      if (random() > 0.6) continue
      const answers = answersOf(business, random)
      await saveAnswers(token, random() < 0.2 ? { businessName: business, role: 'Owner' } : answers)
      if (Object.keys(answers).length < 3 || random() < 0.15) continue
      const sent = await submitApplication(token).catch(() => null)
      if (!sent) continue
      tokens.push(token)
      const fate = random()
      if (fate < 0.3) await decide(leadId, 'admitted', '').catch(() => null)
      else if (fate < 0.4) await decide(leadId, 'declined', '')
    }
  } finally {
    resetClock()
  }
  await makeOutcomes()
  await createCoupon(couponsApi.create.body.parse({ code: 'SPRING15', percentOff: 15 }))
  for (const token of tokens.slice(-5)) {
    const { slots } = await withProspects((db) => listSlots(db, 20))
    const startsAt = pick(slots.slice(0, 40), random)
    if (startsAt) await bookCall({ token, minutes: 20, startsAt, timeZone: 'America/New_York', note: '' })
  }
}
