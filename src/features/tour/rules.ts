import { linkTo } from '../../shared/links.ts'
import { paths } from '../../shared/paths.ts'
import { crewTourBase, tourBase } from '../../shared/tour.ts'

/** The address of the demo business begins so; one that is made anew has its day behind it. */
export const demoSlug = 'palmetto-and-pine'

export type SignpostKey = 'dashboard' | 'routes' | 'crew' | 'invoice' | 'customer'

/** One of the five signposts. */
export type Signpost = {
  key: SignpostKey
  title: string
  text: string
  /** Address inside its app. */
  path: string
  inCrewApp: boolean
}

/**
 * The five signposts in their order.
 * @param invoiceId the invoice that is shown over its list; without one the list alone is, as on a phone, where the record covers the signpost
 */
export const signposts = (invoiceId: string | null): readonly Signpost[] => [
  {
    key: 'dashboard',
    title: 'Dashboard',
    text: 'The day at a glance: what it brings in, how far each crew is, and what needs you. Every figure opens the list behind it.',
    path: paths.dashboard,
    inCrewApp: false,
  },
  {
    key: 'routes',
    title: 'Route map',
    text: 'Every stop of the day in driving order, crew by crew. In your own account one button plans the day; publish it, and the crews have it on their phones.',
    path: paths.routeMap,
    inCrewApp: false,
  },
  {
    key: 'crew',
    title: 'Crew phone',
    text: 'What a crew member holds: the next stop, gate and dog notes, and one big button. Press it: here it plays in your browser only, and nobody is told.',
    path: paths.employeeDashboard,
    inCrewApp: true,
  },
  {
    key: 'invoice',
    title: 'Invoice',
    text: 'Finished visits become invoices in one go, each line with the day it was done. Sent, viewed, paid: this one says where it stands.',
    path: invoiceId ? linkTo.invoice(invoiceId) : '/jobs?tab=invoices',
    inCrewApp: false,
  },
  {
    key: 'customer',
    title: 'What your customer sees',
    text: 'The link in the mail opens this page, with no account and no password. One button pays by card, and your books know it a moment later.',
    path: paths.customerPage,
    inCrewApp: false,
  },
]

/** The address of a signpost in the browser. */
export const addressOfSignpost = ({ path, inCrewApp }: Signpost): string => (inCrewApp ? crewTourBase : tourBase) + path

/** Which signpost stands at a screen, or null: a visitor may look around beside the way. */
export const signpostAt = (path: string, search: string, inCrewApp: boolean): SignpostKey | null => {
  if (inCrewApp) return 'crew'
  if (path === paths.dashboard) return 'dashboard'
  if (path === paths.routeMap) return 'routes'
  if (path === paths.customerPage) return 'customer'
  return path === paths.jobs && new URLSearchParams(search).get('tab') === 'invoices' ? 'invoice' : null
}
