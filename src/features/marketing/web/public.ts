/** The public pages' only script. Pages read the same without it; it runs in <head>, before the first paint. */
import { navSessionOf } from '../rules.ts'
import './public.css'

const session = navSessionOf(document.cookie)
if (session !== 'out') document.documentElement.dataset.nav = session

const logOut = async (): Promise<void> => {
  const end = (app: 'admin' | 'employee') =>
    fetch('/api/auth/logout', { method: 'POST', headers: { 'x-client-app': app } })
  try {
    await Promise.all([end('admin'), end('employee')])
  } finally {
    // biome-ignore lint/suspicious/noDocumentCookie: the hint is readable on purpose; the session itself is the server's
    document.cookie = 'swath_nav=; Path=/; Max-Age=0'
    location.assign('/')
  }
}

type Notice = { message?: unknown; email?: unknown }

/** What the protected-route wrapper said when it sent someone to the prices: the router's state, which a page load keeps. */
const showNotice = (): void => {
  const place = document.querySelector('[data-notice]')
  const state = (history.state as { usr?: Notice } | null)?.usr
  if (!place || typeof state?.message !== 'string') return
  place.textContent = state.message
  if (typeof state.email === 'string') place.append(` Signed in as ${state.email}.`)
  place.removeAttribute('hidden')
}

const closeMenus = (except?: Node | null): void => {
  for (const menu of document.querySelectorAll<HTMLDetailsElement>('.pn-menu[open]'))
    if (!except || !menu.contains(except)) menu.open = false
}

/** The billing period is a pair of radios that CSS reads; this only remembers it in the address. */
const bindPeriod = (): void => {
  const annual = document.querySelector<HTMLInputElement>('#period-year')
  if (!annual) return
  if (new URLSearchParams(location.search).get('period') === 'year') annual.checked = true
  for (const radio of document.querySelectorAll<HTMLInputElement>('input[name="period"]'))
    radio.addEventListener('change', () => {
      history.replaceState(history.state, '', annual.checked ? '?period=year' : location.pathname)
    })
}

document.addEventListener('DOMContentLoaded', () => {
  showNotice()
  bindPeriod()
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-logout]'))
    button.addEventListener('click', () => {
      button.disabled = true
      void logOut()
    })
  document.addEventListener('click', (event) => closeMenus(event.target as Node))
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return
    const open = document.querySelector<HTMLElement>('.pn-menu[open] summary')
    closeMenus()
    open?.focus()
  })
})
