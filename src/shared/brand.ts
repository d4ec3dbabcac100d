/** The product's name and claims stand here once. Support contact comes from the environment on the server. */
export const brand = {
  name: 'Swath',
  headline: 'Route, schedule, and invoice in minutes.',
  supportEmail: 'help@swath.example',
  supportPhone: '(555) 010-0142',
} as const
