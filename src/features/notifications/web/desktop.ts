import type { Notification as Note } from '../contract.ts'

const shownMs = 5_000

export const canAskForDesktop = (): boolean => 'Notification' in window && Notification.permission === 'default'

/** Only from a click: browsers refuse to ask otherwise, and people do too. */
export const askForDesktop = async (): Promise<boolean> => (await Notification.requestPermission()) === 'granted'

/** Shows one outside the browser for 5 s, when the person has allowed it. */
export const showOnDesktop = ({ _id, title, content }: Pick<Note, '_id' | 'title' | 'content'>): void => {
  if (!('Notification' in window) || Notification.permission !== 'granted') return
  const shown = new Notification(title, { body: content, tag: _id, icon: '/icon-192.png' })
  shown.onclick = () => {
    window.focus()
    shown.close()
  }
  setTimeout(() => shown.close(), shownMs)
}
