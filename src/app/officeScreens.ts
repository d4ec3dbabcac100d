import { type ScreenTable, screenFile } from './screenFiles.ts'

const signInScreen = screenFile('SignInScreen', () =>
  import('../features/accounts/web/SignInScreen.tsx').then((m) => m.SignInScreen),
)
const registerScreen = screenFile('RegisterScreen', () =>
  import('../features/accounts/web/RegisterScreen.tsx').then((m) => m.RegisterScreen),
)
const forgotPasswordScreen = screenFile('ForgotPasswordScreen', () =>
  import('../features/accounts/web/ForgotPasswordScreen.tsx').then((m) => m.ForgotPasswordScreen),
)
const resetPasswordScreen = screenFile('ResetPasswordScreen', () =>
  import('../features/accounts/web/ResetPasswordScreen.tsx').then((m) => m.ResetPasswordScreen),
)
const oauthSuccessScreen = screenFile('OauthSuccessScreen', () =>
  import('../features/accounts/web/OauthSuccessScreen.tsx').then((m) => m.OauthSuccessScreen),
)
const loginSuccessScreen = screenFile('LoginSuccessScreen', () =>
  import('../features/accounts/web/LoginSuccessScreen.tsx').then((m) => m.LoginSuccessScreen),
)
const employeeInviteScreen = screenFile('EmployeeInviteScreen', () =>
  import('../features/employees/web/EmployeeInviteScreen.tsx').then((m) => m.EmployeeInviteScreen),
)
const paymentSuccessScreen = screenFile('PaymentSuccessScreen', () =>
  import('../features/subscriptions/web/PaymentSuccessScreen.tsx').then((m) => m.PaymentSuccessScreen),
)
const publicPageScreen = screenFile('PublicPageScreen', () =>
  import('../features/leads/requests/web/PublicPageScreen.tsx').then((m) => m.PublicPageScreen),
)
const publicInvoiceScreen = screenFile('PublicInvoiceScreen', () =>
  import('../features/invoices/web/PublicInvoiceScreen.tsx').then((m) => m.PublicInvoiceScreen),
)
const unsubscribeScreen = screenFile('UnsubscribeScreen', () =>
  import('../features/messages/web/UnsubscribeScreen.tsx').then((m) => m.UnsubscribeScreen),
)
const ownerLeadsScreen = screenFile('OwnerLeadsScreen', () =>
  import('../features/desk/web/OwnerLeadsScreen.tsx').then((m) => m.OwnerLeadsScreen),
)
const ownerRegisterScreen = screenFile('OwnerRegisterScreen', () =>
  import('../features/desk/web/OwnerRegisterScreen.tsx').then((m) => m.OwnerRegisterScreen),
)
const supportAccessScreen = screenFile('SupportAccessScreen', () =>
  import('../features/support/web/SupportAccessScreen.tsx').then((m) => m.SupportAccessScreen),
)
const customerPageScreen = screenFile('CustomerPageScreen', () =>
  import('../features/tour/web/CustomerPageScreen.tsx').then((m) => m.CustomerPageScreen),
)
const leadsScreen = screenFile('LeadsScreen', () =>
  import('../features/leads/web/LeadsScreen.tsx').then((m) => m.LeadsScreen),
)
const localOutboxScreen = screenFile('LocalOutboxScreen', () =>
  import('../features/messages/web/LocalOutboxScreen.tsx').then((m) => m.LocalOutboxScreen),
)
const localPhoneScreen = screenFile('LocalPhoneScreen', () =>
  import('../features/messages/web/LocalPhoneScreen.tsx').then((m) => m.LocalPhoneScreen),
)
const localProspectsScreen = screenFile('LocalProspectsScreen', () =>
  import('../features/providers/web/LocalProspectsScreen.tsx').then((m) => m.LocalProspectsScreen),
)
const localCheckoutScreen = screenFile('LocalCheckoutScreen', () =>
  import('../features/payments/web/LocalCheckoutScreen.tsx').then((m) => m.LocalCheckoutScreen),
)
const localConnectScreen = screenFile('LocalConnectScreen', () =>
  import('../features/payments/connect/web/LocalConnectScreen.tsx').then((m) => m.LocalConnectScreen),
)
const localBankScreen = screenFile('LocalBankScreen', () =>
  import('../features/payments/disputes/web/LocalBankScreen.tsx').then((m) => m.LocalBankScreen),
)
const connectReturnScreen = screenFile('ConnectReturnScreen', () =>
  import('../features/payments/connect/web/ConnectScreens.tsx').then((m) => m.ConnectReturnScreen),
)
const connectRefreshScreen = screenFile('ConnectRefreshScreen', () =>
  import('../features/payments/connect/web/ConnectScreens.tsx').then((m) => m.ConnectRefreshScreen),
)
const localPlanCheckoutScreen = screenFile('LocalPlanCheckoutScreen', () =>
  import('../features/subscriptions/web/LocalPlanCheckoutScreen.tsx').then((m) => m.LocalPlanCheckoutScreen),
)
const localPortalScreen = screenFile('LocalPortalScreen', () =>
  import('../features/subscriptions/web/LocalPortalScreen.tsx').then((m) => m.LocalPortalScreen),
)
const dashboardScreen = screenFile('DashboardScreen', () =>
  import('../features/dashboard/web/DashboardScreen.tsx').then((m) => m.DashboardScreen),
)
const jobsScreen = screenFile('JobsScreen', () =>
  import('../features/jobs/web/JobsScreen.tsx').then((m) => m.JobsScreen),
)
const invoicesTab = screenFile('InvoicesTab', () =>
  import('../features/invoices/web/InvoicesTab.tsx').then((m) => m.InvoicesTab),
)
const servicesTab = screenFile('ServicesAndChemicals', () =>
  import('./ServicesAndChemicals.tsx').then((m) => m.ServicesAndChemicals),
)
const customersScreen = screenFile('CustomersScreen', () =>
  import('../features/imports/web/CustomersScreen.tsx').then((m) => m.CustomersScreen),
)
const customerMessagesTab = screenFile('CustomerMessagesTab', () =>
  import('../features/messages/web/CustomerMessagesTab.tsx').then((m) => m.CustomerMessagesTab),
)
const sendNotificationsScreen = screenFile('SendNotifications', () =>
  import('./SendNotifications.tsx').then((m) => m.SendNotifications),
)
const campaignsTab = screenFile('CampaignsTab', () =>
  import('../features/campaigns/web/CampaignsTab.tsx').then((m) => m.CampaignsTab),
)
const reviewsTab = screenFile('ReviewsTab', () =>
  import('../features/reviews/web/ReviewsTab.tsx').then((m) => m.ReviewsTab),
)
const automationsTab = screenFile('AutomationsTab', () =>
  import('../features/automations/web/AutomationsTab.tsx').then((m) => m.AutomationsTab),
)
const employeesScreen = screenFile('EmployeesScreen', () =>
  import('../features/employees/web/EmployeesScreen.tsx').then((m) => m.EmployeesScreen),
)
const crewsHub = screenFile('CrewsHub', () => import('./CrewsHub.tsx').then((m) => m.CrewsHub))
const communicationsTab = screenFile('CommunicationsTab', () =>
  import('../features/chat/web/CommunicationsTab.tsx').then((m) => m.CommunicationsTab),
)
const timesheetsTab = screenFile('TimesheetsAndTips', () =>
  import('./TimesheetsAndTips.tsx').then((m) => m.TimesheetsAndTips),
)
const seasonScreen = screenFile('SeasonScreen', () =>
  import('../features/season/web/SeasonScreen.tsx').then((m) => m.SeasonScreen),
)
const routeMapScreen = screenFile('RouteMapScreen', () =>
  import('../features/routes/web/RouteMapScreen.tsx').then((m) => m.RouteMapScreen),
)
const calendarScreen = screenFile('CalendarScreen', () =>
  import('../features/calendar/web/CalendarScreen.tsx').then((m) => m.CalendarScreen),
)
const mobileCalendarScreen = screenFile('MobileCalendarScreen', () =>
  import('../features/calendar/web/MobileCalendarScreen.tsx').then((m) => m.MobileCalendarScreen),
)
const quotesManage = screenFile('ManageTab', () =>
  import('../features/quotes/web/ManageTab.tsx').then((m) => m.ManageTab),
)
const quotesCreate = screenFile('CreateTab', () =>
  import('../features/quotes/web/CreateTab.tsx').then((m) => m.CreateTab),
)
const quoteRenewals = screenFile('RenewalsTab', () =>
  import('../features/quotes/renewals/web/RenewalsTab.tsx').then((m) => m.RenewalsTab),
)
const quoteTemplates = screenFile('TemplatesTab', () =>
  import('../features/quotes/templates/web/TemplatesTab.tsx').then((m) => m.TemplatesTab),
)
const quoteAnalytics = screenFile('AnalyticsTab', () =>
  import('../features/quotes/analytics/web/AnalyticsTab.tsx').then((m) => m.AnalyticsTab),
)
const learnedMinutesTab = screenFile('LearnedMinutesTab', () =>
  import('../features/jobs/minutes/web/LearnedMinutesTab.tsx').then((m) => m.LearnedMinutesTab),
)
const priceLettersTab = screenFile('PriceLettersTab', () =>
  import('../features/analytics/lawns/web/PriceLettersTab.tsx').then((m) => m.PriceLettersTab),
)
const costingTab = screenFile('CostingTab', () =>
  import('../features/analytics/costing/web/CostingTab.tsx').then((m) => m.CostingTab),
)
const cashTab = screenFile('CashTab', () =>
  import('../features/analytics/cashflow/web/CashTab.tsx').then((m) => m.CashTab),
)
const analyticsScreen = screenFile('AnalyticsScreen', () =>
  import('../features/analytics/web/AnalyticsScreen.tsx').then((m) => m.AnalyticsScreen),
)
const reportsTab = screenFile('ReportsTab', () =>
  import('../features/reports/web/ReportsTab.tsx').then((m) => m.ReportsTab),
)
const statisticsTab = screenFile('StatisticsTab', () =>
  import('../features/analytics/web/StatisticsTab.tsx').then((m) => m.StatisticsTab),
)
const calculatorScreen = screenFile('CalculatorScreen', () =>
  import('../features/materials/web/CalculatorScreen.tsx').then((m) => m.CalculatorScreen),
)
const quoteBuilderScreen = screenFile('QuoteBuilderScreen', () =>
  import('../features/quotes/web/QuoteBuilderScreen.tsx').then((m) => m.QuoteBuilderScreen),
)
const expensesScreen = screenFile('ExpensesScreen', () =>
  import('../features/expenses/web/ExpensesScreen.tsx').then((m) => m.ExpensesScreen),
)
const quickbooksScreen = screenFile('QuickbooksScreen', () =>
  import('../features/quickbooks/web/QuickbooksScreen.tsx').then((m) => m.QuickbooksScreen),
)
const settingsScreen = screenFile('SettingsScreen', () =>
  import('../features/settings/web/SettingsScreen.tsx').then((m) => m.SettingsScreen),
)

/** Which file draws a path, or each tab of a hub. What is not here is a planned page. */
export const officeScreens: ScreenTable = {
  '/signin': signInScreen,
  '/register': registerScreen,
  '/forgot-password': forgotPasswordScreen,
  '/reset-password': resetPasswordScreen,
  '/oauth-success': oauthSuccessScreen,
  '/login-success': loginSuccessScreen,
  '/employee-invite/:token': employeeInviteScreen,
  '/payment-success': paymentSuccessScreen,
  '/profile/:username': publicPageScreen,
  '/i/:token': publicInvoiceScreen,
  '/u/:token': unsubscribeScreen,
  '/owner/leads': ownerLeadsScreen,
  '/owner/register': ownerRegisterScreen,
  '/support-access': supportAccessScreen,
  '/customer-page': customerPageScreen,
  '/local/outbox': localOutboxScreen,
  '/local/phone': localPhoneScreen,
  '/local/prospects': localProspectsScreen,
  '/local/checkout/:sessionId': localCheckoutScreen,
  '/local/checkout/plan/:sessionId': localPlanCheckoutScreen,
  '/local/portal/:sessionId': localPortalScreen,
  '/local/bank/:accountId': localBankScreen,
  '/local/connect/:linkId': localConnectScreen,
  '/payments/connect/return': connectReturnScreen,
  '/payments/connect/refresh': connectRefreshScreen,
  '/dashboard': dashboardScreen,
  '/jobs': {
    create: jobsScreen,
    manage: jobsScreen,
    invoices: invoicesTab,
    services: servicesTab,
  },
  '/customers': {
    create: customersScreen,
    manage: customersScreen,
    map: customersScreen,
    messages: customerMessagesTab,
    reviews: reviewsTab,
    automations: automationsTab,
  },
  '/send-notifications': sendNotificationsScreen,
  '/analytics': { overview: analyticsScreen, costing: costingTab, prices: priceLettersTab, cash: cashTab },
  '/material-calculator': calculatorScreen,
  '/tools': {
    calculator: calculatorScreen,
    reports: reportsTab,
    notifications: sendNotificationsScreen,
    campaigns: campaignsTab,
    statistics: statisticsTab,
  },
  '/leads': { funnel: leadsScreen },
  '/employees': {
    create: employeesScreen,
    manage: employeesScreen,
    crews: crewsHub,
    communications: communicationsTab,
    timesheets: timesheetsTab,
  },
  '/route-map': { route: routeMapScreen, saved: routeMapScreen, season: seasonScreen, minutes: learnedMinutesTab },
  '/calendar': calendarScreen,
  '/mobile-calendar': mobileCalendarScreen,
  '/quotes': {
    create: quotesCreate,
    manage: quotesManage,
    renewals: quoteRenewals,
    templates: quoteTemplates,
    analytics: quoteAnalytics,
  },
  '/quote-builder-pro': quoteBuilderScreen,
  '/expenses': expensesScreen,
  '/quickbooks': quickbooksScreen,
  '/profile': settingsScreen,
}
