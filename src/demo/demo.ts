import { sql } from 'kysely'
import { countMarked } from '../features/analytics/rollups/server/commands.ts'
import { demoSlug } from '../features/tour/rules.ts'
import { addDemoTx } from '../features/tour/server/commands.ts'
import { playProviders } from '../local/providers.ts'
import { systemActor } from '../platform/actor.ts'
import { clock } from '../platform/clock.ts'
import { database, ownerPool } from '../platform/db/database.ts'
import { asBusinessId, type BusinessId, type TenantDb, withTenant } from '../platform/db/tenant.ts'
import { setSubscribers } from '../platform/events/events.ts'
import { newId } from '../platform/ids.ts'
import { addDays, dayOf, startOfWeek, weekdayOf } from '../shared/dates.ts'
import { invoiceByItself } from './automatic.ts'
import { writeByItself } from './automations.ts'
import { keepBooks } from './books.ts'
import { demoZone, makeBusiness, makeStaff } from './business.ts'
import { callCustomers } from './calls.ts'
import { runCampaigns } from './campaigns.ts'
import { leaveCards, takeCards } from './cards.ts'
import { talk } from './chat.ts'
import { learnMinutes, writePriceLetters } from './costing.ts'
import { planDays } from './days.ts'
import { payFromBanks } from './debits.ts'
import { disputePayments } from './disputes.ts'
import { takeCash } from './door.ts'
import { bookEvents } from './events.ts'
import { spend } from './expenses.ts'
import { keepFields } from './fields.ts'
import { fillInbox, talkOverPhotos, tendInbox } from './inbox.ts'
import { tendJobs } from './jobs.ts'
import { bookSeason, makeCustomers } from './lawns.ts'
import { fillFunnel } from './leads.ts'
import { handOutLinks } from './links.ts'
import { hangCards, sendStatements, tellSeveral } from './mailings.ts'
import { billWeek, chargeOneFee, closeBooks, forgetEvents, setRight, showExemptions } from './money.ts'
import { payOut } from './payouts.ts'
import { buyPlan } from './plan.ts'
import { startPlans } from './plans.ts'
import { openPortal } from './portal.ts'
import { raiseSeed } from './prices.ts'
import { runPrograms } from './programs.ts'
import { makeProspects } from './prospects.ts'
import { quoteWork } from './quotes.ts'
import { rainAhead, rainOff } from './rain.ts'
import { seeded } from './random.ts'
import { renewSeasons } from './renewals.ts'
import { keepReports } from './reports.ts'
import { collectReviews } from './reviews.ts'
import { knownPlaces, planDay, workDay } from './season.ts'
import { writeFromOwnDomain } from './senders.ts'
import { leaveWords, setStopRules } from './stops.ts'
import { joinTeam, ownerOf } from './team.ts'
import { keepTime } from './time.ts'
import { showWaysToPay } from './tips.ts'
import { keepViews } from './views.ts'
import { tellOfVisits } from './visits.ts'

const timeZone = demoZone
const pastWeeks = 5

/**
 * A demo business with its past: 120 invented customers around one real city, four crews, a season of recurring work, five weeks of visits,
 * invoices and payments, all relative to today. Nobody is told of anything in it.
 * @param first what the transaction begins with; what it throws leaves nothing behind
 */
export const makeHistory = async (
  slug: string,
  signIns: boolean,
  random: () => number,
  first: (db: TenantDb) => Promise<void> = async () => undefined,
): Promise<BusinessId> => {
  // What already happened tells nobody anything: no thank-you mails for payments of last month.
  setSubscribers([])
  const businessId = asBusinessId(newId())
  const scope = { businessId }
  const today = dayOf(clock.now(), timeZone)
  // Five working days; the demo's week holds the day on which it starts, so that there is always a day to look at.
  const workDays = { 0: [0, 1, 2, 3, 4], 6: [2, 3, 4, 5, 6] }[weekdayOf(today)] ?? [1, 2, 3, 4, 5]
  const start = addDays(startOfWeek(today), -7 * pastWeeks)
  // the last two days of work wait to be invoiced, also on a Monday
  let billedTo = addDays(today, -1)
  for (let left = 2; left > 0; billedTo = addDays(billedTo, -1)) if (workDays.includes(weekdayOf(billedTo))) left -= 1
  // One transaction: a demo that was interrupted is not there at all, and the next start makes it.
  await withTenant(scope, async (db) => {
    // a season in one statement is no request of somebody who waits
    await sql`set local statement_timeout = '5min'`.execute(db)
    await first(db)
    await makeBusiness(db, slug, workDays)
    await addDemoTx(db, signIns)
    const made = await makeStaff(db, today, signIns)
    const lawns = await makeCustomers(db, today, random)
    await bookSeason(db, lawns, made, workDays, start)
    await runPrograms(db, lawns, made, workDays, today)
    const known = await knownPlaces(db)
    await rainOff(db, addDays(startOfWeek(today), -7), workDays, made)
    for (let week = start; week <= today; week = addDays(week, 7)) {
      for (let day = week; day < addDays(week, 7) && day <= today; day = addDays(day, 1)) {
        for (const crew of made) {
          await planDay(db, crew, day, known, true)
          await workDay(db, crew, day, today, timeZone, random, crew === made[0] ? 2 : 0)
        }
      }
      const weekEnd = addDays(week, 6)
      const isWhole = weekEnd < billedTo
      const to = isWhole ? weekEnd : billedTo
      if (to >= week) await billWeek(db, systemActor(businessId), { from: week, to }, today, timeZone, random)
    }
    await forgetEvents(db)
  })
  while (await countMarked(systemActor(businessId))) {
    // a season of days, some at a time
  }
  return businessId
}

/** Makes the demo business of one's own computer once; does nothing when it is there. */
export const makeDemo = async (): Promise<void> => {
  playProviders()
  const there = await database().selectFrom('slugs').select('slug').where('slug', '=', demoSlug).executeTakeFirst()
  if (there) return
  const random = seeded(20_260_612)
  const businessId = await makeHistory(demoSlug, true, random)
  await buyPlan(businessId)
  const owner = await ownerOf(businessId, timeZone)
  await joinTeam(owner)
  await takeCards(owner)
  await writeFromOwnDomain(owner)
  // So many rows at once: the first screens are planned with what is there, not with an empty table in mind.
  await ownerPool().query('analyze')
  // Tomorrow is booked, not planned: the owner's first evening with the route map.
  await tellOfVisits(owner, { noticed: true })
  await bookEvents(owner)
  await keepViews(owner)
  await keepReports(owner)
  await keepFields(owner)
  await talk(owner)
  await fillFunnel(owner)
  await callCustomers(owner)
  await tendJobs(owner)
  await raiseSeed(owner)
  await setStopRules(owner)
  await leaveWords(owner)
  await setRight(owner)
  await chargeOneFee(owner)
  await spend(owner)
  await showExemptions(owner)
  await payOut(owner, 'before')
  await leaveCards(owner)
  await takeCash(owner)
  await startPlans(owner)
  await disputePayments(owner)
  await payFromBanks(owner)
  await quoteWork(owner)
  await renewSeasons(owner)
  await handOutLinks(owner)
  await openPortal(owner)
  await tendInbox(owner)
  await talkOverPhotos(owner)
  await fillInbox(owner)
  await collectReviews(owner)
  await tellSeveral(owner)
  await runCampaigns(owner)
  await writeByItself(owner)
  await hangCards(owner)
  await sendStatements(owner)
  await showWaysToPay(owner)
  await payOut(owner, 'today')
  await invoiceByItself(owner)
  await closeBooks(owner)
  await keepBooks(owner)
  await keepTime(owner)
  await learnMinutes(owner)
  await writePriceLetters(owner)
  await rainAhead(owner)
  await planDays(owner)
  await makeProspects(random)
}
