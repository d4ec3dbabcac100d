import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { hubAt } from '../src/app/hubs.ts'
import { linkTo, recordParam } from '../src/shared/links.ts'
import { tabOf } from '../src/shared/paths.ts'
import { screenAt } from '../src/shared/screens.ts'

const id = '01a1ff84-fab4-74dc-8663-90f4b25b03f3'
const other = '01a1ff84-fab4-74dc-8663-90f4b25b03f4'
const web = {
  bulk: 'features/jobs/web/CustomerFilterFields.tsx',
  createJob: 'features/jobs/web/CreateJob.tsx',
  chat: 'features/chat/web/CommunicationsTab.tsx',
  chatWriter: 'features/chat/web/ChatComposer.tsx',
  crewChat: 'features/crewapp/web/chat/CrewChatScreen.tsx',
  conversations: 'features/messages/web/CustomerMessagesTab.tsx',
  crews: 'features/employees/web/Crews.tsx',
  crewsHub: 'app/CrewsHub.tsx',
  equipment: 'features/equipment/web/EquipmentView.tsx',
  customers: 'features/imports/web/CustomersScreen.tsx',
  customerList: 'features/customers/web/filter.ts',
  chemicals: 'features/chemicals/web/ChemicalsScreen.tsx',
  books: 'features/quickbooks/web/QuickbooksScreen.tsx',
  expenses: 'features/expenses/web/place.ts',
  invoices: 'features/invoices/web/place.ts',
  jobs: 'features/jobs/web/ManageJobs.tsx',
  leads: 'features/leads/web/place.ts',
  newCustomer: 'features/customers/web/CreateCustomer.tsx',
  oneCustomer: 'features/jobs/web/OneCustomer.tsx',
  people: 'features/employees/web/People.tsx',
  calendar: 'features/calendar/web/CalendarScreen.tsx',
  thumb: 'features/calendar/web/MobileCalendarScreen.tsx',
  routeDay: 'features/routes/web/RouteDay.tsx',
  desk: 'features/routes/web/DayDesk.tsx',
  visit: 'features/visits/web/VisitOverlay.tsx',
  quotes: 'features/quotes/web/place.ts',
  property: 'features/customers/web/PropertyCard.tsx',
  newQuote: 'features/quotes/web/CreateTab.tsx',
  builder: 'features/quotes/web/QuoteBuilderScreen.tsx',
  renewals: 'features/quotes/renewals/web/RenewalsTab.tsx',
  reviews: 'features/reviews/web/ReviewsTab.tsx',
  season: 'features/season/web/SeasonScreen.tsx',
  minutes: 'features/jobs/minutes/web/LearnedMinutesTab.tsx',
  services: 'features/services/web/ServicesTab.tsx',
  payouts: 'features/payments/payouts/web/Payouts.tsx',
  movements: 'features/invoices/movements/web/Movements.tsx',
  messageLog: 'features/messages/log/web/MessageLog.tsx',
  plans: 'features/billingplans/web/BillingPlans.tsx',
  programs: 'features/jobs/programs/web/Programs.tsx',
  putOn: 'features/jobs/programs/web/PutOnProgram.tsx',
  timesheets: 'features/timeclock/sheets/web/TimesheetsTab.tsx',
  tasks: 'features/tasks/web/TaskListView.tsx',
  analytics: 'features/analytics/web/AnalyticsScreen.tsx',
  figures: 'features/analytics/web/Figures.tsx',
  automations: 'features/automations/web/AutomationsTab.tsx',
  cash: 'features/analytics/cashflow/web/CashTab.tsx',
  costing: 'features/analytics/costing/web/CostingTab.tsx',
  priceLetters: 'features/analytics/lawns/web/PriceLettersTab.tsx',
  campaigns: 'features/campaigns/web/CampaignsTab.tsx',
  reports: 'features/reports/web/ReportsTab.tsx',
  materials: 'features/materials/web/CalculatorScreen.tsx',
  calculator: 'features/materials/web/Place.tsx',
  stock: 'features/materials/web/StockView.tsx',
}

/** Every link of the table, the tab it opens and the files that read its parameters. */
const links: { [K in keyof typeof linkTo]: [href: string, at: string, readBy: string[]] } = {
  customer: [linkTo.customer(id, { part: 'messages', archived: true }), '/customers manage', [web.customerList]],
  measure: [linkTo.measure(id, other), '/customers manage', [web.customerList, web.property]],
  lead: [linkTo.lead(id), '/leads funnel', [web.leads]],
  automation: [linkTo.automation(id), '/customers automations', [web.automations]],
  review: [linkTo.review(id), '/customers reviews', [web.reviews]],
  campaign: [linkTo.campaign(id), '/tools campaigns', [web.campaigns]],
  campaigns: [linkTo.campaigns(), '/tools campaigns', [web.campaigns]],
  leads: [linkTo.leads({ due: 'reply' }), '/leads funnel', [web.leads]],
  customers: [linkTo.customers({ noPin: true, importId: other }), '/customers manage', [web.customerList]],
  customerMap: [linkTo.customerMap({ customerId: id, importId: other }), '/customers map', [web.customerList]],
  newCustomer: [linkTo.newCustomer({ phone: '+19125550147' }), '/customers create', [web.newCustomer]],
  import: [linkTo.import(id), '/customers manage', [web.customers]],
  // The tab shows the conversation; `activeTab` is what the address of old says besides.
  thread: [linkTo.thread(id), '/customers messages', [web.conversations, web.customerList]],
  messageLog: [linkTo.messageLog({ outcome: 'stopped' }), '/customers messages', [web.conversations, web.messageLog]],
  tasks: [linkTo.tasks('all'), '/dashboard', [web.tasks]],
  timesheets: [linkTo.timesheets({ week: '2026-06-08', personId: id }), '/employees timesheets', [web.timesheets]],
  payroll: [linkTo.payroll({ from: '2026-06-08', to: '2026-06-14' }), '/employees timesheets', [web.timesheets]],
  job: [linkTo.job(id, { visitId: other }), '/jobs manage', [web.jobs]],
  visitOver: [linkTo.visitOver({ pathname: '/jobs', search: '?tab=manage' }, id), '/jobs manage', [web.visit]],
  jobs: [linkTo.jobs({ customerId: id, batchId: other }), '/jobs manage', [web.jobs]],
  newJob: [linkTo.newJob({ customerId: id }), '/jobs create', [web.oneCustomer]],
  newJobs: [linkTo.newJobs({ city: 'Savannah', q: 'oak & ash' }), '/jobs create', [web.createJob, web.bulk]],
  newProgram: [
    linkTo.newProgram({ programId: id, propertyId: other, customerId: id }),
    '/jobs create',
    [web.createJob, web.putOn],
  ],
  program: [linkTo.program(id), '/jobs services', [web.programs]],
  season: [linkTo.season(id), '/route-map season', [web.season]],
  learnedMinutes: [linkTo.learnedMinutes(), '/route-map minutes', [web.minutes]],
  services: [linkTo.services(), '/jobs services', [web.services]],
  chemicals: [linkTo.chemicals('mixes'), '/jobs services', [web.chemicals]],
  service: [linkTo.service(id), '/jobs services', [web.services]],
  invoice: [linkTo.invoice(id), '/jobs invoices', [web.invoices]],
  dispute: [linkTo.dispute(id), '/jobs invoices', [web.invoices]],
  invoices: [linkTo.invoices({ view: 'overdue' }), '/jobs invoices', [web.invoices]],
  quote: [linkTo.quote(id), '/quotes manage', [web.quotes]],
  quotes: [linkTo.quotes({ view: 'waiting', customerId: id }), '/quotes manage', [web.quotes]],
  newQuote: [linkTo.newQuote({ customerId: id }), '/quotes create', [web.newQuote]],
  analytics: [
    linkTo.analytics({ period: 'year', show: 'unpaid', by: 'crew', of: id }),
    '/analytics overview',
    [web.analytics, web.figures],
  ],
  reports: [
    linkTo.reports({
      saved: id,
      report: 'sales',
      period: 'custom',
      from: '2026-06-01',
      to: '2026-06-30',
      by: 'crew',
      of: id,
    }),
    '/tools reports',
    [web.reports],
  ],
  priceLetters: [linkTo.priceLetters({ period: 'month', of: id }), '/analytics prices', [web.priceLetters]],
  costing: [
    linkTo.costing({ period: 'week', by: 'crew', sort: 'most', limit: '100', of: id }),
    '/analytics costing',
    [web.costing],
  ],
  cashFlow: [linkTo.cashFlow({ week: '3', show: 'plans' }), '/analytics cash', [web.cash]],
  calculator: [linkTo.calculator({ customerId: id }), '/tools calculator', [web.calculator]],
  materials: [linkTo.materials(), '/tools calculator', [web.materials]],
  material: [linkTo.material(id), '/tools calculator', [web.materials, web.stock]],
  materialLoads: [linkTo.materialLoads(), '/tools calculator', [web.materials]],
  purchases: [linkTo.purchases(), '/tools calculator', [web.materials]],
  statistics: [linkTo.statistics({ show: 'skipped', by: 'city', of: 'Pooler' }), '/tools statistics', [web.figures]],
  renewals: [linkTo.renewals(), '/quotes renewals', [web.renewals]],
  newRenewal: [linkTo.newRenewal(), '/quotes renewals', [web.renewals]],
  renewalRun: [linkTo.renewalRun(id), '/quotes renewals', [web.renewals]],
  quoteBuilder: [linkTo.quoteBuilder(id), '/quote-builder-pro ', [web.builder]],
  billingPlan: [linkTo.billingPlan(id), '/jobs invoices', [web.plans, web.invoices]],
  billingPlans: [linkTo.billingPlans({ view: 'running' }), '/jobs invoices', [web.plans, web.invoices]],
  newBillingPlan: [linkTo.newBillingPlan(id), '/jobs invoices', [web.plans, web.invoices]],
  payouts: [linkTo.payouts(), '/jobs invoices', [web.invoices]],
  ledger: [
    linkTo.ledger({ view: 'refunded', from: '2026-06-01', to: '2026-06-30' }),
    '/jobs invoices',
    [web.invoices, web.movements],
  ],
  payout: [linkTo.payout(id), '/jobs invoices', [web.payouts, web.invoices]],
  expense: [linkTo.expense(id), '/expenses', [web.expenses]],
  expenses: [linkTo.expenses({ jobId: other, view: 'review' }), '/expenses', [web.expenses]],
  booksMonths: [linkTo.booksMonths(), '/quickbooks', [web.books]],
  newInvoices: [linkTo.newInvoices(), '/jobs invoices', [web.invoices]],
  person: [linkTo.person(id), '/employees manage', [web.people]],
  crew: [linkTo.crew(id), '/employees crews', [web.crews]],
  equipmentList: [linkTo.equipmentList(), '/employees crews', [web.crewsHub]],
  equipment: [linkTo.equipment(id), '/employees crews', [web.crewsHub, web.equipment]],
  chat: [linkTo.chat(id, { about: other }), '/employees communications', [web.chat, web.chatWriter]],
  crewChat: [linkTo.crewChat({ threadId: id, about: other }), '/employee-chat', [web.crewChat]],
  routeDay: [
    linkTo.routeDay('2026-06-12', { crewId: id, visitId: other }),
    '/route-map route',
    [web.routeDay, web.desk],
  ],
  crewDay: [linkTo.crewDay('2026-06-12', id), '/mobile-calendar', [web.thumb]],
  calendarDay: [linkTo.calendarDay('2026-06-12', { standIn: id }), '/calendar', [web.calendar]],
}
const queryOf = (href: string) => new URLSearchParams(href.split('?')[1])
const nameOf = (key: string) => Object.entries(recordParam).find(([, value]) => value === key)?.[0]

describe('links to records', () => {
  test.each(Object.entries(links))(
    '%s opens its screen, which reads all that the link says',
    (_, [href, at, readBy]) => {
      const [path = '', tab = ''] = at.split(' ')
      expect(screenAt(href.split('?')[0] ?? '')?.path).toBe(path)
      const hub = hubAt(path)
      expect(hub ? tabOf(hub, queryOf(href).get('tab')) : '').toBe(tab)
      const text = readBy.map((file) => readFileSync(join(import.meta.dirname, '..', 'src', file), 'utf8')).join('\n')
      for (const key of queryOf(href).keys())
        if (key !== 'tab') {
          const name = nameOf(key)
          expect(text).toMatch(new RegExp(`(get|id|yes)\\((${name ? `recordParam\\.${name}\\b` : `'${key}'`})`))
        }
    },
  )
  test('what they say comes back', () => {
    expect(queryOf(links.newCustomer[0]).get('phone')).toBe('+19125550147')
    expect(queryOf(links.newJobs[0]).get('q')).toBe('oak & ash')
  })
  test('says nothing of what was not given', () => {
    expect(linkTo.customer(id)).toBe(`/customers?tab=manage&customerId=${id}`)
    expect(linkTo.newJobs({ q: '' })).toBe('/jobs?tab=create&for=many')
    expect(linkTo.routeDay('2026-06-12')).toBe('/route-map?day=2026-06-12')
  })
})
