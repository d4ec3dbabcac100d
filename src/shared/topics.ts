/** What changes on the server are about; the first element of every query key on the web. */
export type Topic =
  | 'visits'
  | 'routes'
  | 'invoices'
  | 'customers'
  | 'imports'
  | 'notifications'
  | 'jobs'
  | 'messages'
  | 'services'
  | 'crews'
  | 'payments'
  | 'business'
