/** The public pages' only script. Pages read the same without it; it runs once the page is there and holds no paint up. */
import { inShell } from '../../../shared/shell.ts'
import { clearShelves } from '../../crewapp/shelves/web/data.ts'
import { appCookie, appStartOf, navCookie, navSessionOf, sessionKindHint } from '../rules.ts'
import { crewMember, mayLeave } from './leaving.ts'
import { bindPlans } from './pricing.ts'
import { bindSavings } from './savingsForm.ts'
import { noteVisit } from './visit.ts'
import './public.css'

document.documentElement.dataset.nav = navSessionOf(document.cookie)

if (inShell() && 'webOnly' in document.documentElement.dataset) location.replace(appStartOf(document.cookie))

/** The same steps as the session layer's sign-out, without loading it. */
const logOut = async (): Promise<void> => {
  const kind = sessionKindHint(document.cookie)
  const leaving = kind === 'employee' ? crewMember() : null
  if (leaving && !(await mayLeave(leaving))) return
  for (const name of [navCookie, appCookie]) {
    // biome-ignore lint/suspicious/noDocumentCookie: readable hints; the session's own cookie is the server's
    document.cookie = `${name}=; Path=/; Max-Age=0; SameSite=Lax`
  }
  sessionStorage.removeItem('swath.kind')
  localStorage.removeItem(`swath.profile.${kind}`)
  localStorage.setItem('swath.sign-out', kind)
  new BroadcastChannel('swath-session').postMessage({ type: 'signedOut', kind })
  const answer = await fetch('/api/auth/logout', { method: 'POST', headers: { 'x-client-app': kind } }).catch(
    () => null,
  )
  if (leaving) await clearShelves(leaving._id)
  if (answer && answer.status < 500) localStorage.removeItem('swath.sign-out')
  location.assign('/')
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

/** How many places of the Setup Sprint are left; the static words stay when there is no answer. */
const showPlaces = async (): Promise<void> => {
  const lines = document.querySelectorAll('[data-places]')
  if (lines.length === 0) return
  const answer = await fetch('/api/leads/places').catch(() => null)
  if (!answer?.ok) return
  const { month, limit, left } = (await answer.json()) as { month: string; limit: number; left: number }
  const name = new Intl.DateTimeFormat('en-US', { month: 'long', timeZone: 'UTC' }).format(new Date(`${month}-01`))
  for (const line of lines)
    line.textContent =
      left > 0
        ? `${left} of ${limit} places left in ${name}.`
        : `All ${limit} places of ${name} are taken. Apply now for the next month.`
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
  noteVisit()
  void showPlaces()
  bindPeriod()
  bindPlans()
  bindSavings()
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-logout]'))
    button.addEventListener('click', () => {
      button.disabled = true
      void logOut().finally(() => {
        button.disabled = false
      })
    })
  document.addEventListener('click', (event) => closeMenus(event.target as Node))
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return
    const open = document.querySelector<HTMLElement>('.pn-menu[open] summary')
    closeMenus()
    open?.focus()
  })
})
