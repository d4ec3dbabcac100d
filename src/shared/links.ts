import { type Hub, hubPath, paths, type TabOf } from './paths.ts'

/** The parameter that names a record, one name on every screen: links write it here, screens read it by this table. */
export const recordParam = {
  customer: 'customerId',
  /** The property of a customer that is measured. */
  measure: 'measure',
  /** The part of a customer's record. */
  part: 'activeTab',
  job: 'jobId',
  visit: 'visitId',
  jobBatch: 'batchId',
  invoice: 'invoiceId',
  quote: 'quoteId',
  /** A renewal of a season, or `new`. */
  renewal: 'renewalId',
  expense: 'expenseId',
  /** A customer's level payments or prepaid season. */
  billingPlan: 'billingPlanId',
  service: 'serviceId',
  program: 'programId',
  /** The part of the screen of products, mixes and application records. */
  chemicals: 'chemicals',
  person: 'personId',
  crew: 'crewId',
  equipment: 'equipmentId',
  day: 'day',
  /** The import on the screen, or `new`. */
  import: 'import',
  /** The customers that an import brought. */
  ofImport: 'importId',
  /** The conversation on the screen: a customer or an address. */
  thread: 'with',
  /** Rain takes the day: its push is looked for at once. */
  rain: 'rain',
  /** A crew is out: who takes its stops is asked at once. */
  out: 'out',
  /** The certificates by which a customer pays no sales tax. */
  exemption: 'exemption',
  /** The dispute on the screen. */
  dispute: 'dispute',
  /** The payout on the screen. */
  payout: 'payout',
  /** What a message is about. */
  about: 'about',
  /** The lead on the screen. */
  lead: 'leadId',
  /** The review on the screen. */
  review: 'reviewId',
  /** The campaign on the screen, or `new`. */
  campaign: 'campaignId',
  /** The automation on the screen. */
  automation: 'automationId',
  /** A material on the list of stock. */
  material: 'materialId',
  /** A plan of the season on the screen. */
  season: 'run',
  /** The crew of the day that somebody is to stand in for. */
  standIn: 'standIn',
} as const

type Values = Readonly<Record<string, string | number | boolean | null | undefined>>

const withQuery = (path: string, values: Values): string => {
  const [bare = path, own = ''] = path.split('?')
  const query = new URLSearchParams(own)
  for (const [key, value] of Object.entries(values))
    if (value !== undefined && value !== null && value !== false && value !== '') query.set(key, String(value))
  const text = query.toString()
  return text === '' ? bare : `${bare}?${text}`
}
const inHub = <H extends Hub>(hub: H, tab: TabOf<H>, values: Values): string => withQuery(hubPath(hub, tab), values)

export type CustomerPart = 'overview' | 'timeline' | 'work' | 'invoices' | 'messages'
/** What the list of customers can be narrowed to by a link. */
export type CustomersFilter = Readonly<
  Partial<Record<'stage' | 'hasJob' | 'noPin' | 'approximate' | 'archived' | 'importId' | 'tag', string | true>>
>

/** Where each record stands. Whatever leads to a record asks here: screens, notifications, mails, what needs you, search. */
export const linkTo = {
  customer: (id: string, { part, archived }: { part?: CustomerPart; archived?: boolean } = {}): string =>
    inHub('customers', 'manage', { [recordParam.customer]: id, [recordParam.part]: part, archived }),
  lead: (id: string): string => inHub('leads', 'funnel', { [recordParam.lead]: id }),
  review: (id: string): string => inHub('customers', 'reviews', { [recordParam.review]: id }),
  automation: (id: string): string => inHub('customers', 'automations', { [recordParam.automation]: id }),
  leads: (filter: Readonly<Record<string, string | undefined>> = {}): string => inHub('leads', 'funnel', filter),
  /** The drawing of a property's lawn, beds and edges. */
  measure: (customerId: string, propertyId: string): string =>
    inHub('customers', 'manage', { [recordParam.customer]: customerId, [recordParam.measure]: propertyId }),
  customers: (filter: CustomersFilter = {}): string => inHub('customers', 'manage', filter),
  customerMap: ({ customerId, importId }: { customerId?: string; importId?: string } = {}): string =>
    inHub('customers', 'map', { [recordParam.customer]: customerId, [recordParam.ofImport]: importId }),
  newCustomer: ({ phone }: { phone?: string } = {}): string => inHub('customers', 'create', { phone }),
  /** One import on its way, or the first step of a new one. */
  import: (id: string | 'new'): string => inHub('customers', 'manage', { [recordParam.import]: id }),
  /** What the office has to do, by day. */
  tasks: (view: 'mine' | 'all' | 'done' = 'mine'): string => withQuery(paths.dashboard, { tasks: view }),
  /** What was written with a customer, in the tab of all conversations. */
  /** @param customerId or a number that nobody knows */
  thread: (customerId: string): string =>
    inHub('customers', 'messages', { [recordParam.customer]: customerId, [recordParam.part]: 'messages' }),
  /** What went to customers and what did not, with why; `outcome`: only what ended so. */
  messageLog: ({ outcome }: { outcome?: string } = {}): string =>
    inHub('customers', 'messages', { view: 'log', outcome }),
  /** A week of everybody's time, or of one person. */
  timesheets: ({ week, personId }: { week?: string; personId?: string } = {}): string =>
    inHub('employees', 'timesheets', { week, [recordParam.person]: personId }),
  /** Approved time as it is paid. */
  payroll: ({ from, to }: { from?: string; to?: string } = {}): string =>
    inHub('employees', 'timesheets', { view: 'payroll', from, to }),
  job: (id: string, { visitId }: { visitId?: string } = {}): string =>
    inHub('jobs', 'manage', { [recordParam.job]: id, [recordParam.visit]: visitId }),
  /** A visit over the screen that somebody is on. */
  visitOver: (place: { pathname: string; search: string }, id: string): string =>
    withQuery(`${place.pathname}${place.search}`, { [recordParam.visit]: id }),
  jobs: (
    filter: {
      customerId?: string
      batchId?: string
      programId?: string
      season?: number
      renewal?: 'missing' | undefined
    } = {},
  ): string => inHub('jobs', 'manage', filter),
  newJob: ({ customerId }: { customerId?: string } = {}): string =>
    inHub('jobs', 'create', { [recordParam.customer]: customerId }),
  newJobs: (filter: Readonly<Record<string, string>> = {}): string =>
    inHub('jobs', 'create', { for: 'many', ...filter }),
  newProgram: (values: { programId?: string; propertyId?: string; customerId?: string } = {}): string =>
    inHub('jobs', 'create', { for: 'program', ...values }),
  program: (id: string): string => inHub('jobs', 'services', { [recordParam.program]: id }),
  /** A plan of the season, or a what-if. */
  season: (id?: string): string => inHub('route-map', 'season', { [recordParam.season]: id }),
  /** Lawns that take other minutes than planned. */
  learnedMinutes: (): string => inHub('route-map', 'minutes', {}),
  services: (): string => inHub('jobs', 'services', {}),
  /** What is put on lawns: records of it, mixes, products, and how the business works with them. */
  chemicals: (part: 'records' | 'mixes' | 'products' | 'rules' = 'records'): string =>
    inHub('jobs', 'services', { [recordParam.chemicals]: part }),
  service: (id: string): string => inHub('jobs', 'services', { [recordParam.service]: id }),
  invoice: (id: string): string => inHub('jobs', 'invoices', { [recordParam.invoice]: id }),
  dispute: (id: string, { invoiceId }: { invoiceId?: string } = {}): string =>
    inHub('jobs', 'invoices', { [recordParam.invoice]: invoiceId, [recordParam.dispute]: id }),
  invoices: ({
    view,
    batch,
    customerId,
    exemption,
    statements,
  }: {
    customerId?: string
    view?: string | undefined
    batch?: string
    /** The certificates of that customer are shown. */
    exemption?: boolean
    /** What became of the statements to all who owe. */
    statements?: boolean
  } = {}): string =>
    inHub('jobs', 'invoices', {
      view,
      batch,
      statements: statements ? '1' : undefined,
      [recordParam.customer]: customerId,
      [recordParam.exemption]: exemption ? 1 : null,
    }),
  quote: (id: string): string => inHub('quotes', 'manage', { [recordParam.quote]: id }),
  quotes: ({ view, customerId }: { view?: string; customerId?: string } = {}): string =>
    inHub('quotes', 'manage', { view, [recordParam.customer]: customerId }),
  newQuote: ({ customerId, leadId }: { customerId?: string; leadId?: string } = {}): string =>
    inHub('quotes', 'create', { [recordParam.customer]: customerId, [recordParam.lead]: leadId }),
  renewals: (): string => inHub('quotes', 'renewals', {}),
  newRenewal: (): string => inHub('quotes', 'renewals', { [recordParam.renewal]: 'new' }),
  renewalRun: (id: string): string => inHub('quotes', 'renewals', { [recordParam.renewal]: id }),
  /** What a period came to; `show`, `by` and `of`: the visits behind a figure. */
  analytics: (
    values: {
      period?: string | undefined
      show?: string | undefined
      by?: string | undefined
      of?: string | undefined
    } = {},
  ): string => inHub('analytics', 'overview', values),
  /** What work cost and what is left of it; `by` and `of`: the visits behind a row. */
  costing: (
    values: {
      period?: string | undefined
      by?: string | undefined
      sort?: string | undefined
      limit?: string | undefined
      of?: string | undefined
    } = {},
  ): string => inHub('analytics', 'costing', values),
  /** What comes in and goes out in the next weeks; `week` and `show`: the amounts behind a figure. */
  cashFlow: (values: { week?: string | undefined; show?: string | undefined } = {}): string =>
    inHub('analytics', 'cash', values),
  /** Lawns that earn less than the target, and letters about their prices; `of`: those of one property. */
  priceLetters: (values: { period?: string | undefined; of?: string | undefined } = {}): string =>
    inHub('analytics', 'prices', values),
  /** 30 days against the 30 before. */
  statistics: (values: { show?: string | undefined; by?: string | undefined; of?: string | undefined } = {}): string =>
    inHub('tools', 'statistics', values),
  /** A campaign with what it says, or what it brought. */
  campaign: (id: string): string => inHub('tools', 'campaigns', { [recordParam.campaign]: id }),
  campaigns: (): string => inHub('tools', 'campaigns', {}),
  /** A report: `saved` one that was kept, else as the other values say; `of`: the visits behind a row. */
  reports: (
    values: {
      saved?: string | undefined
      report?: string | undefined
      period?: string | undefined
      from?: string | undefined
      to?: string | undefined
      by?: string | undefined
      of?: string | undefined
    } = {},
  ): string => inHub('tools', 'reports', values),
  /** The material calculator, for a customer's properties. */
  calculator: ({ customerId }: { customerId?: string } = {}): string =>
    inHub('tools', 'calculator', { [recordParam.customer]: customerId }),
  /** What the business buys and has of it. */
  materials: (): string => inHub('tools', 'calculator', { view: 'stock' }),
  material: (id: string): string => inHub('tools', 'calculator', { view: 'stock', [recordParam.material]: id }),
  /** What is reckoned for visits, by day and crew. */
  materialLoads: (): string => inHub('tools', 'calculator', { view: 'loads' }),
  purchases: (): string => inHub('tools', 'calculator', { view: 'buy' }),
  quoteBuilder: (id: string): string => withQuery(paths.quoteBuilderPro, { [recordParam.quote]: id }),
  billingPlan: (id: string): string => inHub('jobs', 'invoices', { plans: 1, [recordParam.billingPlan]: id }),
  billingPlans: ({ view, customerId }: { view?: string; customerId?: string } = {}): string =>
    inHub('jobs', 'invoices', { plans: 1, view, [recordParam.customer]: customerId }),
  /** The form of a new one. */
  newBillingPlan: (customerId: string): string =>
    inHub('jobs', 'invoices', { plans: 1, [recordParam.customer]: customerId, new: 1 }),
  /** What came in, or another movement of what customers owe, of a span of days. */
  ledger: (values: { view?: string; from?: string; to?: string } = {}): string =>
    inHub('jobs', 'invoices', { ledger: values.view ?? 'received', from: values.from, to: values.to }),
  /** Money on its way to the bank and what has arrived. */
  payouts: (): string => inHub('jobs', 'invoices', { payouts: 1 }),
  payout: (id: string): string => inHub('jobs', 'invoices', { payouts: 1, [recordParam.payout]: id }),
  /** Each month held against the books; with a month and a kind the records that its sum is made of. */
  booksMonths: (of: { month?: string; kind?: string } = {}): string =>
    withQuery(paths.quickbooks, { show: 'months', ...of }),
  expense: (id: string): string => withQuery(paths.expenses, { [recordParam.expense]: id }),
  expenses: (filter: Readonly<Record<string, string | undefined>> = {}): string => withQuery(paths.expenses, filter),
  newInvoices: (): string => inHub('jobs', 'invoices', { batch: 'new' }),
  person: (id: string): string => inHub('employees', 'manage', { [recordParam.person]: id }),
  crew: (id: string): string => inHub('employees', 'crews', { [recordParam.crew]: id }),
  equipmentList: (): string => inHub('employees', 'crews', { view: 'equipment' }),
  equipment: (id: string): string => inHub('employees', 'crews', { view: 'equipment', [recordParam.equipment]: id }),
  /** What was written with a person or a crew, or to everybody; `about`: the next message is about this visit. */
  chat: (threadId: string, { about }: { about?: string } = {}): string =>
    inHub('employees', 'communications', { [recordParam.thread]: threadId, [recordParam.about]: about }),
  /** The chat on a crew member's phone. */
  crewChat: ({ threadId, about }: { threadId?: string; about?: string } = {}): string =>
    withQuery(paths.employeeChat, { [recordParam.thread]: threadId, [recordParam.about]: about }),
  routeDay: (
    day: string,
    { crewId, visitId, rain, out }: { crewId?: string; visitId?: string; rain?: 'push'; out?: boolean } = {},
  ): string =>
    withQuery(paths.routeMap, {
      [recordParam.day]: day,
      [recordParam.crew]: crewId,
      [recordParam.visit]: visitId,
      [recordParam.rain]: rain,
      [recordParam.out]: out,
    }),
  /** A day of one crew for the thumb. */
  crewDay: (day: string, crewId?: string | null): string =>
    withQuery(paths.mobileCalendar, { [recordParam.day]: day, [recordParam.crew]: crewId }),
  /** The day's board of the calendar; `standIn`: for this crew somebody is looked for. */
  calendarDay: (day: string, { standIn }: { standIn?: string } = {}): string =>
    withQuery(paths.calendar, { view: 'day', [recordParam.day]: day, [recordParam.standIn]: standIn }),
} as const
