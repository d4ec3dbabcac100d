import { screenIndex } from './screenFiles.ts'

/** Every screen and tab file of the office's features: making the file is all it takes to replace a planned page. */
export const officeFiles = screenIndex(
  import.meta.glob([
    '../features/*/web/**/*Screen.tsx',
    '../features/*/web/**/*Tab.tsx',
    '!../features/{crewapp,marketing}/**',
  ]),
)

/** Which file draws a path, or each tab of a hub. A file that does not exist yet is a planned page. */
export const officeScreens: Readonly<Record<string, string | Readonly<Record<string, string>>>> = {
  '/signin': 'accounts/SignInScreen',
  '/register': 'accounts/RegisterScreen',
  '/forgot-password': 'accounts/ForgotPasswordScreen',
  '/reset-password': 'accounts/ResetPasswordScreen',
  '/oauth-success': 'accounts/OauthSuccessScreen',
  '/login-success': 'accounts/LoginSuccessScreen',
  '/employee-invite/:token': 'employees/EmployeeInviteScreen',
  '/payment-success': 'billing/PaymentSuccessScreen',
  '/profile/:username': 'profiles/PublicProfileScreen',
  '/quote/:quoteId': 'quotes/PublicQuoteScreen',
  '/quotes/view/:identifier': 'quotes/PublicQuoteScreen',
  '/i/:token': 'invoices/PublicInvoiceScreen',
  '/portal/:token': 'portal/PortalScreen',
  '/u/:token': 'messages/UnsubscribeScreen',
  '/owner/leads': 'owner/OwnerLeadsScreen',
  '/owner/register': 'owner/OwnerRegisterScreen',
  '/local/outbox': 'messages/LocalOutboxScreen',
  '/local/phone': 'messages/LocalPhoneScreen',
  '/local/checkout/:sessionId': 'payments/LocalCheckoutScreen',
  '/dashboard': 'dashboard/DashboardScreen',
  '/jobs': {
    create: 'jobs/JobsScreen',
    manage: 'jobs/JobsScreen',
    invoices: 'invoices/InvoicesTab',
    services: 'services/ServicesTab',
  },
  '/quotes': {
    create: 'quotes/QuotesScreen',
    manage: 'quotes/QuotesScreen',
    templates: 'quotes/QuotesScreen',
    analytics: 'quotes/QuotesScreen',
  },
  '/leads': { funnel: 'leads/LeadsScreen' },
  '/analytics': { overview: 'reports/AnalyticsScreen' },
  '/customers': {
    create: 'customers/CustomersScreen',
    manage: 'customers/CustomersScreen',
    map: 'customers/CustomersScreen',
    messages: 'messages/CustomerMessagesTab',
  },
  '/employees': {
    create: 'employees/EmployeesScreen',
    manage: 'employees/EmployeesScreen',
    crews: 'employees/EmployeesScreen',
    communications: 'chat/CommunicationsTab',
    timesheets: 'timeclock/TimesheetsTab',
  },
  '/route-map': { route: 'routes/RouteMapScreen', saved: 'routes/RouteMapScreen' },
  '/tools': {
    calculator: 'materials/CalculatorTab',
    reports: 'reports/ReportsTab',
    notifications: 'campaigns/SendNotificationsTab',
    statistics: 'reports/StatisticsTab',
  },
  '/profile': 'businesses/ProfileScreen',
  '/integrations': 'integrations/IntegrationsScreen',
  '/calendar': 'calendar/CalendarScreen',
  '/mobile-calendar': 'calendar/MobileCalendarScreen',
  '/send-notifications': 'campaigns/SendNotificationsScreen',
  '/material-calculator': 'materials/MaterialCalculatorScreen',
  '/quickbooks': 'integrations/QuickbooksScreen',
  '/payments/connect/refresh': 'payments/ConnectRefreshScreen',
  '/payments/connect/return': 'payments/ConnectReturnScreen',
  '/quote-builder-pro': 'quotes/QuoteBuilderProScreen',
}
