import { has, type Permission, type Rights } from '../shared/roles.ts'

/** Screens and tabs that are about nothing but money: nobody is led to them who does not work with it. */
const needed: Record<string, Permission> = {
  '/quotes': 'money',
  '/quote-builder-pro': 'money',
  '/jobs?tab=invoices': 'money',
  '/analytics': 'money',
  '/analytics?tab=costing': 'payroll',
  '/analytics?tab=cash': 'payroll',
  '/tools?tab=statistics': 'money',
}

/** Whether somebody's role includes the screen of an address. */
export const includesScreen = (who: Rights | null, href: string): boolean => {
  const [path = '', query = ''] = href.split('?')
  const tab = new URLSearchParams(query).get('tab')
  const permissions = [needed[path], needed[`${path}?tab=${tab}`]]
  return who === null || permissions.every((permission) => permission === undefined || has(who, permission))
}
