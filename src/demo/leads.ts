import { missCall, saveLeadWays } from '../features/leads/phone/server/commands.ts'
import { getLeadWays } from '../features/leads/phone/server/queries.ts'
import { saveLeadSettings, takeRequest } from '../features/leads/requests/server/commands.ts'
import { getLeadSettings } from '../features/leads/requests/server/queries.ts'
import type { LostReason, Source, Stage } from '../features/leads/rules.ts'
import { createLead, moveLead, noteLead, updateLead } from '../features/leads/server/commands.ts'
import { receiveStrangerMail } from '../features/messages/server/inbound/commands.ts'
import type { Actor } from '../platform/actor.ts'
import { clock } from '../platform/clock.ts'
import { withTenant } from '../platform/db/tenant.ts'
import { newId } from '../platform/ids.ts'
import { addDays, dayOf } from '../shared/dates.ts'

type Asked = {
  name: string
  phone: string
  email?: string
  street: string
  city: string
  zip: string
  wants: string
  source: Source
  hoursAgo: number
  lawnSquareFeet?: number
  stage?: Stage
  lost?: { reason: LostReason; note: string }
  talked?: string
  next?: { step: string; inDays: number }
}

const asked: Asked[] = [
  {
    name: 'Anita Desai',
    phone: '+19125550211',
    email: 'anita.desai@example.com',
    street: '18 Sandfly Ct',
    city: 'Savannah',
    zip: '31406',
    wants: 'Weekly mowing, front and back. The gate is on the left side.',
    source: 'website',
    hoursAgo: 0.1,
    lawnSquareFeet: 6400,
  },
  {
    name: 'Tom Delaney',
    phone: '+19125550212',
    street: '402 Isle of Hope Dr',
    city: 'Savannah',
    zip: '31406',
    wants: 'Saw your truck next door. How much for the front yard?',
    source: 'neighbor',
    hoursAgo: 1.4,
  },
  {
    name: 'Grace Whitfield',
    phone: '+19125550213',
    email: 'grace.w@example.com',
    street: '9 Kings Ferry Way',
    city: 'Richmond Hill',
    zip: '31324',
    wants: 'Weed control and fertilizing for the season',
    source: 'profile',
    hoursAgo: 5,
    lawnSquareFeet: 11200,
  },
  {
    name: 'Marcus Bell',
    phone: '+19125550214',
    street: '77 Coffee Bluff Rd',
    city: 'Savannah',
    zip: '31419',
    wants: 'Hedges along the drive, twice a year',
    source: 'call',
    hoursAgo: 26,
    talked: 'Wants it before the party on the 20th. Look at it on the way to Skidaway.',
    next: { step: 'Measure the hedge', inDays: 0 },
  },
  {
    name: 'Elena Cruz',
    phone: '+19125550215',
    email: 'elena.cruz@example.com',
    street: '1501 Habersham St',
    city: 'Savannah',
    zip: '31401',
    wants: 'Biweekly mowing for a small courtyard',
    source: 'text',
    hoursAgo: 50,
    talked: 'Has a small gate: 36 inches.',
    next: { step: 'Call back about the gate', inDays: 2 },
  },
  {
    name: 'Harold Pratt',
    phone: '+19125550216',
    street: '6 Oglethorpe Sq',
    city: 'Savannah',
    zip: '31401',
    wants: 'Spring clean-up, then weekly',
    source: 'referral',
    hoursAgo: 75,
    stage: 'quoted',
    talked: 'Quoted $58 a visit and $240 for the clean-up.',
    next: { step: 'Ask whether he has decided', inDays: 1 },
  },
  {
    name: 'Wren Holloway',
    phone: '+19125550217',
    email: 'wren@example.com',
    street: '230 Wilmington Island Rd',
    city: 'Savannah',
    zip: '31410',
    wants: 'Sod for a bare patch of 800 square feet',
    source: 'ad',
    hoursAgo: 120,
    stage: 'quoted',
    talked: 'Sent the price for St. Augustine.',
    next: { step: 'Follow up', inDays: -1 },
  },
  {
    name: 'Nadia Farouk',
    phone: '+19125550218',
    street: '52 Dutch Island Dr',
    city: 'Savannah',
    zip: '31406',
    wants: 'Weekly mowing',
    source: 'referral',
    hoursAgo: 190,
    stage: 'won',
    talked: 'Yes. Starts with the next Dutch Island day.',
  },
  {
    name: 'Colin Burke',
    phone: '+19125550219',
    street: '14 Tybrisa St',
    city: 'Tybee Island',
    zip: '31328',
    wants: 'Mowing at the beach house',
    source: 'website',
    hoursAgo: 210,
    stage: 'lost',
    lost: { reason: 'out_of_area', note: 'Too far for one lawn' },
  },
  {
    name: 'Sheila Monroe',
    phone: '+19125550220',
    street: '88 Montgomery Cross Rd',
    city: 'Savannah',
    zip: '31406',
    wants: 'Mowing, $30 at most',
    source: 'call',
    hoursAgo: 260,
    stage: 'lost',
    lost: { reason: 'price', note: '' },
  },
]

/** Visitors of the page pick a day, and who sends a neighbor is thanked. */
const openPage = async (owner: Actor): Promise<void> => {
  const { version, services } = await withTenant(owner, getLeadSettings)
  await saveLeadSettings(owner, {
    version,
    bookOn: true,
    bookServiceIds: services.filter(({ mows }) => mows).map(({ id }) => id),
    bookDaysAhead: 14,
    referralOn: true,
    referralGiverCents: 2500,
    referralFriendCents: 1000,
  })
}

/** The phone rings at the owner's, and who is not answered reads a line of theirs. */
const openPhone = async (owner: Actor): Promise<void> => {
  const { version } = await withTenant(owner, (db) => getLeadWays(db, false))
  await saveLeadWays(owner, {
    version,
    callNumber: '+19125550100',
    forwardTo: '+19125550101',
    pressKey: true,
    textOn: true,
  })
}

const usualForm = { company: '', ms: '', consent: '', ref: '', sourceDetail: '', point: null, served: true }

/** Who asked by themselves: twice by the page, once for a second house, by mail, and by a call that nobody took. */
const letThemAsk = async (owner: Actor): Promise<void> => {
  const { businessId } = owner
  const ask = (form: { name: string; phone: string; email: string; street: string; zip: string; wants: string }) =>
    takeRequest(businessId, {
      ...usualForm,
      ...form,
      city: 'Savannah',
      state: 'GA',
      key: newId(),
      source: 'website',
      lawn: null,
      services: [],
    })
  const nell = { name: 'Nell Ashby', phone: '(912) 555-0231', email: 'nell.ashby@example.com' }
  const home = { street: '61 Herb River Dr', zip: '31406' }
  await ask({ ...nell, ...home, wants: 'Weekly mowing, about 7,000 sq ft' })
  await ask({ ...nell, ...home, wants: 'Also the hedge at the street\nTwo dogs, please call first' })
  await ask({ ...nell, street: '340 Bull St', zip: '31401', wants: 'Leaf clean-up at my rental' })
  await receiveStrangerMail(businessId, {
    messageId: 'demo-lead-mail@example.com',
    from: 'owen.castle@example.com',
    fromName: 'Owen Castle',
    subject: 'Price for a corner lot',
    text: 'Hello, we have just moved to 12 Windsor Rd and look for somebody who mows every other week.\n\nOwen',
  })
  await receiveStrangerMail(businessId, {
    messageId: 'demo-portal-mail@example.com',
    from: 'no-reply@forms.example.com',
    fromName: 'Website forms',
    replyTo: { address: 'priya.nair@example.com', name: 'Priya Nair' },
    subject: 'New request from your contact form',
    text: 'Name: Priya Nair\nZIP: 31404\n\nCan you take over every other week from July on? The yard is about 6,000 sq ft.',
  })
  await missCall(businessId, { id: 'demo-missed', from: '+19125550232' })
  const known = await withTenant(owner, (db) =>
    db
      .selectFrom('customers')
      .select('phone')
      .where('businessId', '=', businessId)
      .where('phone', 'is not', null)
      .where('archivedAt', 'is', null)
      .orderBy('name', 'desc')
      .limit(1)
      .executeTakeFirst(),
  )
  if (known?.phone) await missCall(businessId, { id: 'demo-missed-customer', from: known.phone })
}

/** People who asked for a price lately: some wait, some were answered, some were won and lost. */
export const fillFunnel = async (owner: Actor): Promise<void> => {
  const today = dayOf(clock.now(), owner.timeZone)
  await openPage(owner)
  await openPhone(owner)
  for (const { hoursAgo, stage, lost, talked, next, ...values } of asked) {
    let lead = await createLead(owner, { ...values, state: 'GA', allowDuplicate: true })
    if (talked) lead = await noteLead(owner, lead.id, { words: talked, call: 'talked' })
    if (next)
      lead = await updateLead(owner, lead.id, {
        version: lead.version,
        nextAction: next.step,
        nextActionOn: addDays(today, next.inDays),
      })
    if (stage) lead = await moveLead(owner, lead.id, { version: lead.version, stage, lost })
    // It is a past: the words of each are as old as the asking.
    const at = new Date(clock.nowMs() - hoursAgo * 3_600_000).toISOString()
    await withTenant(owner, async (db) => {
      await db
        .updateTable('businessLeads')
        .set({ createdAt: at, stageAt: at, askedAt: at })
        .where('businessId', '=', db.businessId)
        .where('id', '=', lead.id)
        .execute()
    })
  }
  await letThemAsk(owner)
}
