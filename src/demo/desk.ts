import { clock } from '../platform/clock.ts'
import { withProspects } from '../platform/db/prospects.ts'
import { newId } from '../platform/ids.ts'

type Said = {
  channel: 'email' | 'sms'
  by: 'us' | 'them'
  hoursAgo: number
  subject?: string
  text: string
  state?: 'sent' | 'delivered' | 'failed'
  reason?: string
  opens?: number
  clicks?: number
  read?: boolean
}

const demoLink = 'https://swath.example/book-call'

const conversations: readonly Said[][] = [
  [
    {
      channel: 'email',
      by: 'us',
      hoursAgo: 20,
      subject: 'Your free Setup Sprint with Swath',
      text: `Hi {name},\n\nthank you for your interest in Swath. The quickest way to see whether it fits is a free 30-minute demo with your own customers on the map. Pick a time that suits you:\n${demoLink}`,
      state: 'delivered',
      opens: 2,
      clicks: 1,
    },
    {
      channel: 'sms',
      by: 'us',
      hoursAgo: 4,
      text: `Hi {name}, any questions about Swath? ${demoLink}`,
      state: 'delivered',
      read: true,
    },
  ],
  [
    {
      channel: 'sms',
      by: 'us',
      hoursAgo: 44,
      text: `Hi {name}, thanks for your interest in Swath! Pick a time for a free 30-minute demo: ${demoLink}`,
      state: 'delivered',
    },
    { channel: 'sms', by: 'them', hoursAgo: 41, text: 'Can it split one crew over two trucks on Fridays?' },
    {
      channel: 'sms',
      by: 'us',
      hoursAgo: 40,
      text: 'Yes: make a second crew for Fridays, with the same people. I can show you.',
      state: 'delivered',
      read: true,
    },
    { channel: 'sms', by: 'them', hoursAgo: 39, text: 'Good. Thursday after 4 works.' },
  ],
  [
    {
      channel: 'email',
      by: 'us',
      hoursAgo: 66,
      subject: 'Shall we put your routes on the map?',
      text: `Hi {name},\n\nin a free 30-minute demo we plan one of your real days together and you see what the driving costs now and then.\n\nPick a time here:\n${demoLink}\n\nYour first month is 15% off with the code SPRING15.`,
      state: 'delivered',
      opens: 4,
      clicks: 2,
    },
    {
      channel: 'email',
      by: 'them',
      hoursAgo: 60,
      subject: 'Re: Shall we put your routes on the map?',
      text: 'We have 84 weekly lawns and two crews. I booked Tuesday. Please have the Pooler side ready, that is where the miles go.',
    },
  ],
  [
    {
      channel: 'email',
      by: 'us',
      hoursAgo: 100,
      subject: '15% off your first month',
      text: `Hi {name},\n\nstart with Swath and take 15% off your first month: enter the code SPRING15 at checkout.\n\n${demoLink}`,
      state: 'delivered',
      opens: 1,
    },
    { channel: 'sms', by: 'them', hoursAgo: 70, text: 'Does the customer pay from the text?' },
    {
      channel: 'sms',
      by: 'us',
      hoursAgo: 69,
      text: 'Yes. They get a link to the invoice and pay by card on their phone.',
      state: 'delivered',
    },
  ],
  [
    {
      channel: 'email',
      by: 'us',
      hoursAgo: 130,
      subject: 'Your free Setup Sprint with Swath',
      text: `Hi {name},\n\nthank you for your interest in Swath.\n${demoLink}`,
      state: 'failed',
      reason: '550 5.1.1 No such user',
    },
    {
      channel: 'sms',
      by: 'us',
      hoursAgo: 128,
      text: 'Hi {name}, our mail to you came back. Which address is right?',
      state: 'delivered',
    },
  ],
  [
    {
      channel: 'sms',
      by: 'us',
      hoursAgo: 200,
      text: `Hi {name}, any questions about Swath? ${demoLink}`,
      state: 'delivered',
    },
    { channel: 'sms', by: 'them', hoursAgo: 199, text: 'STOP' },
  ],
  [
    {
      channel: 'email',
      by: 'us',
      hoursAgo: 330,
      subject: 'Welcome to the Setup Sprint',
      text: 'Hi {name},\n\nyour first call is on Monday. Bring your price list, we enter it together.',
      state: 'delivered',
      opens: 3,
    },
    {
      channel: 'email',
      by: 'them',
      hoursAgo: 320,
      subject: 'Re: Welcome to the Setup Sprint',
      text: 'Will do. My foreman joins too.',
    },
  ],
]

const contacts: readonly [name: string, domain: string][] = [
  ['Priya Raman', 'ramanturf'],
  ['Wes Dalton', 'daltonmowing'],
  ['Marta Quintero', 'quinterolawns'],
  ['Deshawn Ellis', 'ellisgreens'],
  ['Hollis Grady', 'gradyandsons'],
  ['Joanna Pike', 'pikeyardcare'],
  ['Tobias Renner', 'rennerlandscape'],
]

/** Leads to talk with, where the demo has made none. */
const makeLeads = async (ago: (hours: number) => string): Promise<void> => {
  await withProspects((db) =>
    db
      .insertInto('leads')
      .values(
        contacts.map(([name, domain], n) => ({
          id: newId(),
          name,
          email: `${name.split(' ')[0]?.toLowerCase()}@${domain}.example`,
          phone: `(912) 555-01${20 + n}`,
          phoneE164: `+191255501${20 + n}`,
          source: n % 2 ? 'google_ads' : 'landing_page',
          campaign: n % 3 ? '' : 'spring-start',
          status: 'contacted',
          isMobile: n % 2 === 1,
          createdAt: ago(350 + 20 * n),
        })),
      )
      .execute(),
  )
}

/** Gives leads of the demo a conversation, once: mail and texts of the last two weeks with what became of them. */
export const makeDemoConversations = async (): Promise<void> => {
  const now = clock.nowMs()
  const ago = (hours: number): string => new Date(now - hours * 3_600_000).toISOString()
  const [any, talked] = await withProspects(async (db) => [
    await db.selectFrom('leads').select('id').limit(1).executeTakeFirst(),
    await db.selectFrom('messages').select('id').where('dedupeKey', 'like', 'demo:%').limit(1).executeTakeFirst(),
  ])
  if (talked) return
  if (!any) await makeLeads(ago)
  await withProspects(async (db) => {
    await db
      .updateTable('settings')
      .set({ postalAddress: 'Swath, 1 Mill Road, Savannah, GA 31401' })
      .where('postalAddress', '=', '')
      .execute()
    const leads = await db
      .selectFrom('leads')
      .select(['id', 'name', 'email', 'phoneE164', 'status'])
      .where('phoneE164', 'is not', null)
      .where('createdAt', '<', ago(24))
      .orderBy('createdAt', 'desc')
      .limit(conversations.length)
      .execute()
    for (const [n, lead] of leads.entries()) {
      for (const said of conversations[n] ?? []) {
        const at = ago(said.hoursAgo)
        const ours = said.by === 'us'
        const address = said.channel === 'email' ? lead.email : (lead.phoneE164 ?? '')
        await db
          .insertInto('messages')
          .values({
            id: newId(),
            leadId: lead.id,
            channel: said.channel,
            direction: ours ? 'outbound' : 'inbound',
            purpose: ours ? 'marketing' : 'reply',
            address,
            fromName: ours ? 'Swath' : '',
            subject: said.subject ?? '',
            bodyText: said.text.replaceAll('{name}', lead.name),
            dedupeKey: `demo:${lead.id}:${said.hoursAgo}:${said.channel}`,
            status: ours ? (said.state ?? 'sent') : 'received',
            reason: said.reason ?? null,
            provider: 'local',
            sentAt: at,
            deliveredAt: said.state === 'delivered' ? at : null,
            failedAt: said.state === 'failed' ? at : null,
            readAt: said.read ? ago(said.hoursAgo - 0.2) : null,
            openedAt: said.opens ? ago(said.hoursAgo - 1) : null,
            openCount: said.opens ?? 0,
            clickedAt: said.clicks ? ago(said.hoursAgo - 1.1) : null,
            clickCount: said.clicks ?? 0,
            createdAt: at,
            updatedAt: at,
          })
          .execute()
        const suppressed =
          said.text === 'STOP' ? 'They replied STOP' : said.state === 'failed' ? 'Mail to this address came back' : null
        if (suppressed)
          await db
            .insertInto('suppressions')
            .values({ channel: said.channel, address, purpose: 'all', reason: suppressed, at })
            .onConflict((c) => c.doNothing())
            .execute()
      }
      if (lead.status === 'new')
        await db.updateTable('leads').set({ status: 'contacted' }).where('id', '=', lead.id).execute()
    }
  })
}
