import { sql } from 'kysely'
import { demoSlug } from '../features/tour/rules.ts'
import { openDemo, retireDemo, retireReplacedDemos } from '../features/tour/server/commands.ts'
import { hasDemoOfThisHour } from '../features/tour/server/queries.ts'
import { clock } from '../platform/clock.ts'
import type { TenantDb } from '../platform/db/tenant.ts'
import { demoZone } from './business.ts'
import { talk } from './chat.ts'
import { planDays } from './days.ts'
import { makeHistory } from './demo.ts'
import { bookEvents } from './events.ts'
import { spend } from './expenses.ts'
import { tendJobs } from './jobs.ts'
import { setRight } from './money.ts'
import { rainAhead } from './rain.ts'
import { seeded } from './random.ts'
import { ownerOf } from './team.ts'
import { keepTime } from './time.ts'
import { keepViews } from './views.ts'
import { tellOfVisits } from './visits.ts'

/**
 * Makes the demo business that visitors of the tour meet, as of now, after letting those go that nobody can be in any more. Nobody can sign in to
 * it: the demo's password is known to everybody. Only for a process of its own, which has no other work.
 * @returns its address, or null where there is one of this hour already or being made, and how many older ones go
 */
export const renewTour = async (): Promise<{ slug: string | null; retired: number }> => {
  const retired = await retireReplacedDemos()
  if (await hasDemoOfThisHour()) return { slug: null, retired }
  const made = await makeTour().catch((error: unknown) => {
    if (error instanceof DemoOfThisHour) return null
    throw error
  })
  return { slug: made, retired }
}

/** Another process makes the demo of this hour, or has made it meanwhile. */
class DemoOfThisHour extends Error {}

/** Until the transaction ends nobody else begins a demo. @throws DemoOfThisHour */
const beAlone = async (db: TenantDb): Promise<void> => {
  const { rows } = await sql<{ alone: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended('tour.renew', 0)) as alone`.execute(db)
  if (!rows[0]?.alone || (await hasDemoOfThisHour())) throw new DemoOfThisHour()
}

const makeTour = async (): Promise<string> => {
  const slug = `${demoSlug}-${clock.iso().slice(0, 19).replace(/[:T]/g, '-')}`
  const businessId = await makeHistory(slug, false, seeded(20_260_612), beAlone)
  try {
    const owner = await ownerOf(businessId, demoZone)
    await tellOfVisits(owner)
    await bookEvents(owner)
    await keepViews(owner)
    await talk(owner)
    await tendJobs(owner)
    await rainAhead(owner)
    await setRight(owner)
    await spend(owner)
    await keepTime(owner)
    await planDays(owner)
    await openDemo(businessId)
  } catch (error) {
    // half a demo is shown to nobody, and the next try begins with none of it
    await retireDemo(businessId)
    throw error
  }
  return slug
}
