import type { FastifyPluginAsync } from 'fastify'
import { closingEndpoints } from './features/accounts/closing/server/endpoints.ts'
import { identityEndpoints } from './features/accounts/identity/server/endpoints.ts'
import { meEndpoints } from './features/accounts/me/server/endpoints.ts'
import { portalEndpoints } from './features/accounts/portal/server/endpoints.ts'
import { accountsEndpoints } from './features/accounts/server/endpoints.ts'
import { teamEndpoints } from './features/accounts/team/server/endpoints.ts'
import { twoFactorEndpoints } from './features/accounts/twofactor/server/endpoints.ts'
import { cashFlowEndpoints } from './features/analytics/cashflow/server/endpoints.ts'
import { costingEndpoints } from './features/analytics/costing/server/endpoints.ts'
import { lawnsEndpoints } from './features/analytics/lawns/server/endpoints.ts'
import { analyticsEndpoints } from './features/analytics/server/endpoints.ts'
import { answersEndpoints } from './features/answers/server/endpoints.ts'
import { automationRunsEndpoints, automationsEndpoints } from './features/automations/server/endpoints.ts'
import { billingPlansEndpoints } from './features/billingplans/server/endpoints.ts'
import { businessesEndpoints } from './features/businesses/server/endpoints.ts'
import { calendarEventsEndpoints } from './features/calendar/events/server/endpoints.ts'
import { calendarFeedsEndpoints } from './features/calendar/feeds/server/endpoints.ts'
import { calendarEndpoints } from './features/calendar/server/endpoints.ts'
import { campaignReadsEndpoints } from './features/campaigns/reads/server/endpoints.ts'
import { campaignResultsEndpoints } from './features/campaigns/results/server/endpoints.ts'
import { segmentsEndpoints } from './features/campaigns/segments/server/endpoints.ts'
import { campaignsEndpoints } from './features/campaigns/server/endpoints.ts'
import { chatEndpoints } from './features/chat/server/endpoints.ts'
import { neighborsEndpoints } from './features/chemicals/neighbors/server/endpoints.ts'
import { recordsEndpoints } from './features/chemicals/records/server/endpoints.ts'
import { chemicalsEndpoints } from './features/chemicals/server/endpoints.ts'
import { unrecordedEndpoints } from './features/chemicals/unrecorded/server/endpoints.ts'
import { conflictsEndpoints } from './features/crewapp/conflicts/server/endpoints.ts'
import { loadEndpoints } from './features/crewapp/load/server/endpoints.ts'
import { sentPhotosEndpoints } from './features/crewapp/sent/server/endpoints.ts'
import { crewappEndpoints } from './features/crewapp/server/endpoints.ts'
import { areasEndpoints } from './features/customers/areas/server/endpoints.ts'
import { contactsEndpoints } from './features/customers/contacts/server/endpoints.ts'
import { customFieldsEndpoints } from './features/customers/custom/server/endpoints.ts'
import { customersEndpoints } from './features/customers/server/endpoints.ts'
import { dashboardEndpoints } from './features/dashboard/server/endpoints.ts'
import { leadAccountEndpoints } from './features/desk/account/server/endpoints.ts'
import { followupEndpoints } from './features/desk/followup/server/endpoints.ts'
import { deskPhotosEndpoints } from './features/desk/photos/server/endpoints.ts'
import { deskEndpoints } from './features/desk/server/endpoints.ts'
import { doorcardsEndpoints } from './features/doorcards/server/endpoints.ts'
import { documentsEndpoints } from './features/employees/documents/server/endpoints.ts'
import { emergencyEndpoints } from './features/employees/emergency/server/endpoints.ts'
import { licensesEndpoints } from './features/employees/licenses/server/endpoints.ts'
import { employeesEndpoints } from './features/employees/server/endpoints.ts'
import { staffingEndpoints } from './features/employees/staffing/server/endpoints.ts'
import { wagesEndpoints } from './features/employees/wages/server/endpoints.ts'
import { checksEndpoints } from './features/equipment/checks/server/endpoints.ts'
import { equipmentEndpoints } from './features/equipment/server/endpoints.ts'
import { categoriesEndpoints } from './features/expenses/categories/server/endpoints.ts'
import { mileageEndpoints } from './features/expenses/mileage/server/endpoints.ts'
import { recurringEndpoints } from './features/expenses/recurring/server/endpoints.ts'
import { expensesEndpoints } from './features/expenses/server/endpoints.ts'
import { wholeExportsEndpoints } from './features/exports/server/endpoints.ts'
import { salePageEndpoints } from './features/extras/sales/server/endpoints.ts'
import { extrasEndpoints } from './features/extras/server/endpoints.ts'
import { filesEndpoints } from './features/files/server/endpoints.ts'
import { geocodingEndpoints } from './features/geocoding/server/endpoints.ts'
import { importsEndpoints } from './features/imports/server/endpoints.ts'
import { integrationsEndpoints } from './features/integrations/server/endpoints.ts'
import { monthEndEndpoints } from './features/invoices/closing/server/endpoints.ts'
import { exemptionsEndpoints } from './features/invoices/exemptions/server/endpoints.ts'
import { exportsEndpoints } from './features/invoices/exports/server/endpoints.ts'
import { movementsEndpoints } from './features/invoices/movements/server/endpoints.ts'
import { papersEndpoints } from './features/invoices/papers/server/endpoints.ts'
import { printingEndpoints } from './features/invoices/printing/server/endpoints.ts'
import { invoicesEndpoints } from './features/invoices/server/endpoints.ts'
import { statementsEndpoints } from './features/invoices/statements/server/endpoints.ts'
import { jobEditsEndpoints } from './features/jobs/bulk/server/endpoints.ts'
import { learnedMinutesEndpoints } from './features/jobs/minutes/server/endpoints.ts'
import { pricesEndpoints } from './features/jobs/prices/server/endpoints.ts'
import { programsEndpoints } from './features/jobs/programs/server/endpoints.ts'
import { jobsEndpoints } from './features/jobs/server/endpoints.ts'
import { leadBookingEndpoints, pageBookingEndpoints } from './features/leads/booking/server/endpoints.ts'
import { leadWaysEndpoints, voiceEndpoints } from './features/leads/phone/server/endpoints.ts'
import { leadRequestEndpoints, leadSettingsEndpoints } from './features/leads/requests/server/endpoints.ts'
import { businessLeadsEndpoints } from './features/leads/server/endpoints.ts'
import { liveboardEndpoints } from './features/liveboard/server/endpoints.ts'
import { mailingsEndpoints } from './features/mailings/server/endpoints.ts'
import { mapsEndpoints } from './features/maps/server/endpoints.ts'
import { materialsEndpoints } from './features/materials/server/endpoints.ts'
import { placeMergesEndpoints } from './features/merges/places/server/endpoints.ts'
import { mergesEndpoints } from './features/merges/server/endpoints.ts'
import { consentsEndpoints } from './features/messages/consents/server/endpoints.ts'
import { conversationsEndpoints } from './features/messages/conversations/server/endpoints.ts'
import { customerFactsEndpoints } from './features/messages/facts/server/endpoints.ts'
import { messageLogEndpoints } from './features/messages/log/server/endpoints.ts'
import { numberConversationsEndpoints } from './features/messages/numbers/server/endpoints.ts'
import { messagePhotosEndpoints } from './features/messages/photos/server/endpoints.ts'
import { messagesEndpoints } from './features/messages/server/endpoints.ts'
import { stopEndpoints } from './features/messages/stop/server/endpoints.ts'
import { messageTemplatesEndpoints } from './features/messages/templates/server/endpoints.ts'
import { noticesEndpoints } from './features/notices/server/endpoints.ts'
import { choicesEndpoints as noticeChoicesEndpoints } from './features/notifications/choices/server/endpoints.ts'
import { notificationsEndpoints } from './features/notifications/server/endpoints.ts'
import { ownerEndpoints } from './features/owner/server/endpoints.ts'
import { cardLinksEndpoints } from './features/payments/cardlinks/server/endpoints.ts'
import {
  cardsEndpoints,
  connectEndpoints,
  correctionsEndpoints,
  creditsEndpoints,
  disputesEndpoints,
  doorEndpoints,
  paymentsEndpoints,
  payoutsEndpoints,
  tipsEndpoints,
} from './features/payments/server/endpoints.ts'
import { statementPageEndpoints } from './features/payments/statement/server/endpoints.ts'
import { customerPortalEndpoints } from './features/portal/office/server/endpoints.ts'
import { portalPageEndpoints } from './features/portal/server/endpoints.ts'
import { positionsEndpoints } from './features/positions/server/endpoints.ts'
import { applicationEndpoints } from './features/prospects/application/server/endpoints.ts'
import { callsEndpoints } from './features/prospects/calls/server/endpoints.ts'
import { feeEndpoints } from './features/prospects/fee/server/endpoints.ts'
import { leadsEndpoints } from './features/prospects/server/endpoints.ts'
import { sprintEndpoints } from './features/prospects/sprint/server/endpoints.ts'
import { providersEndpoints } from './features/providers/server/endpoints.ts'
import { pushEndpoints } from './features/push/server/endpoints.ts'
import { quickbooksEndpoints } from './features/quickbooks/server/endpoints.ts'
import { quoteAnalyticsEndpoints } from './features/quotes/analytics/server/endpoints.ts'
import { quoteBillingEndpoints } from './features/quotes/billing/server/endpoints.ts'
import { crewQuotesEndpoints } from './features/quotes/crew/server/endpoints.ts'
import { quoteDaysEndpoints } from './features/quotes/days/server/endpoints.ts'
import { quoteDepositsEndpoints } from './features/quotes/deposits/server/endpoints.ts'
import { renewalsEndpoints } from './features/quotes/renewals/server/endpoints.ts'
import { quotesEndpoints } from './features/quotes/server/endpoints.ts'
import { quoteTemplatesEndpoints } from './features/quotes/templates/server/endpoints.ts'
import { quotePageEndpoints } from './features/quotes/viewer/server/endpoints.ts'
import { referralsEndpoints } from './features/referrals/server/endpoints.ts'
import { reportsEndpoints } from './features/reports/server/endpoints.ts'
import {
  publicReviewsEndpoints,
  reviewSettingsEndpoints,
  reviewsEndpoints,
} from './features/reviews/server/endpoints.ts'
import { fillEndpoints } from './features/routes/fill/server/endpoints.ts'
import { savedRoutesEndpoints } from './features/routes/saved/server/endpoints.ts'
import { routesEndpoints } from './features/routes/server/endpoints.ts'
import { searchEndpoints } from './features/search/server/endpoints.ts'
import { seasonEndpoints } from './features/season/server/endpoints.ts'
import { senderEndpoints } from './features/senders/domains/server/endpoints.ts'
import { senderRegistrationEndpoints } from './features/senders/registration/server/endpoints.ts'
import { servicesEndpoints } from './features/services/server/endpoints.ts'
import { stopsEndpoints } from './features/stops/server/endpoints.ts'
import { couponsEndpoints } from './features/subscriptions/coupons/server/endpoints.ts'
import { subscriptionsEndpoints } from './features/subscriptions/server/endpoints.ts'
import { supportEndpoints } from './features/support/server/endpoints.ts'
import { failedTasksEndpoints } from './features/system/failed/server/endpoints.ts'
import { systemEndpoints } from './features/system/server/endpoints.ts'
import { tasksEndpoints } from './features/tasks/server/endpoints.ts'
import { mealsEndpoints } from './features/timeclock/meals/server/endpoints.ts'
import { payfilesEndpoints } from './features/timeclock/payfiles/server/endpoints.ts'
import { payrollEndpoints } from './features/timeclock/payroll/server/endpoints.ts'
import { timeclockEndpoints } from './features/timeclock/server/endpoints.ts'
import { sheetsEndpoints } from './features/timeclock/sheets/server/endpoints.ts'
import { timelineEndpoints } from './features/timeline/server/endpoints.ts'
import { tourEndpoints } from './features/tour/server/endpoints.ts'
import { travelEndpoints } from './features/travel/server/endpoints.ts'
import { viewsEndpoints } from './features/views/server/endpoints.ts'
import { daysOffEndpoints } from './features/visits/daysoff/server/endpoints.ts'
import { visitsEndpoints } from './features/visits/server/endpoints.ts'
import { weatherEndpoints } from './features/weather/server/endpoints.ts'
import type { ContractTable } from './shared/endpoint.ts'

/** Every feature's endpoints. The access-matrix test and the OpenAPI document walk this list. */
export const endpointPlugins: (FastifyPluginAsync & { contract: ContractTable; feature: string })[] = [
  systemEndpoints,
  customersEndpoints,
  quotesEndpoints,
  quotePageEndpoints,
  renewalsEndpoints,
  quoteDaysEndpoints,
  quoteBillingEndpoints,
  quoteDepositsEndpoints,
  quoteTemplatesEndpoints,
  quoteAnalyticsEndpoints,
  analyticsEndpoints,
  cashFlowEndpoints,
  costingEndpoints,
  learnedMinutesEndpoints,
  lawnsEndpoints,
  reportsEndpoints,
  crewQuotesEndpoints,
  contactsEndpoints,
  areasEndpoints,
  customFieldsEndpoints,
  businessLeadsEndpoints,
  leadSettingsEndpoints,
  leadRequestEndpoints,
  leadWaysEndpoints,
  voiceEndpoints,
  leadBookingEndpoints,
  pageBookingEndpoints,
  referralsEndpoints,
  reviewsEndpoints,
  reviewSettingsEndpoints,
  publicReviewsEndpoints,
  tasksEndpoints,
  timelineEndpoints,
  mergesEndpoints,
  placeMergesEndpoints,
  mailingsEndpoints,
  segmentsEndpoints,
  campaignsEndpoints,
  campaignResultsEndpoints,
  campaignReadsEndpoints,
  automationsEndpoints,
  automationRunsEndpoints,
  doorcardsEndpoints,
  searchEndpoints,
  importsEndpoints,
  geocodingEndpoints,
  mapsEndpoints,
  accountsEndpoints,
  meEndpoints,
  closingEndpoints,
  wholeExportsEndpoints,
  teamEndpoints,
  identityEndpoints,
  twoFactorEndpoints,
  employeesEndpoints,
  staffingEndpoints,
  documentsEndpoints,
  licensesEndpoints,
  emergencyEndpoints,
  wagesEndpoints,
  equipmentEndpoints,
  materialsEndpoints,
  checksEndpoints,
  liveboardEndpoints,
  dashboardEndpoints,
  messageLogEndpoints,
  messagesEndpoints,
  messagePhotosEndpoints,
  sentPhotosEndpoints,
  stopEndpoints,
  conversationsEndpoints,
  customerFactsEndpoints,
  numberConversationsEndpoints,
  messageTemplatesEndpoints,
  answersEndpoints,
  consentsEndpoints,
  ownerEndpoints,
  failedTasksEndpoints,
  deskEndpoints,
  deskPhotosEndpoints,
  followupEndpoints,
  leadAccountEndpoints,
  stopsEndpoints,
  extrasEndpoints,
  salePageEndpoints,
  supportEndpoints,
  tourEndpoints,
  portalEndpoints,
  providersEndpoints,
  leadsEndpoints,
  applicationEndpoints,
  callsEndpoints,
  sprintEndpoints,
  feeEndpoints,
  paymentsEndpoints,
  correctionsEndpoints,
  creditsEndpoints,
  doorEndpoints,
  connectEndpoints,
  cardsEndpoints,
  disputesEndpoints,
  payoutsEndpoints,
  tipsEndpoints,
  papersEndpoints,
  movementsEndpoints,
  printingEndpoints,
  statementsEndpoints,
  statementPageEndpoints,
  cardLinksEndpoints,
  exportsEndpoints,
  monthEndEndpoints,
  expensesEndpoints,
  categoriesEndpoints,
  recurringEndpoints,
  mileageEndpoints,
  exemptionsEndpoints,
  positionsEndpoints,
  pushEndpoints,
  billingPlansEndpoints,
  subscriptionsEndpoints,
  couponsEndpoints,
  integrationsEndpoints,
  invoicesEndpoints,
  noticesEndpoints,
  noticeChoicesEndpoints,
  notificationsEndpoints,
  businessesEndpoints,
  visitsEndpoints,
  daysOffEndpoints,
  calendarEndpoints,
  calendarEventsEndpoints,
  calendarFeedsEndpoints,
  routesEndpoints,
  savedRoutesEndpoints,
  seasonEndpoints,
  senderEndpoints,
  senderRegistrationEndpoints,
  fillEndpoints,
  servicesEndpoints,
  conflictsEndpoints,
  loadEndpoints,
  crewappEndpoints,
  chatEndpoints,
  timeclockEndpoints,
  sheetsEndpoints,
  mealsEndpoints,
  payfilesEndpoints,
  payrollEndpoints,
  travelEndpoints,
  filesEndpoints,
  jobEditsEndpoints,
  jobsEndpoints,
  viewsEndpoints,
  weatherEndpoints,
  programsEndpoints,
  pricesEndpoints,
  quickbooksEndpoints,
  chemicalsEndpoints,
  unrecordedEndpoints,
  recordsEndpoints,
  neighborsEndpoints,
  customerPortalEndpoints,
  portalPageEndpoints,
]
