import { askShell, hearShell, shellHas } from '../../../shared/shell.ts'
import { readSettings } from './settings.ts'

/** What a browser says of the network it is on; many say nothing. */
type Network = { type?: string; addEventListener?: (type: 'change', listener: () => void) => void }

const network = (): Network | undefined => (navigator as { connection?: Network }).connection

/** `asking`: the shell knows and has not said yet. */
type Line = 'wifi' | 'other' | 'unknown' | 'asking'

const lineOf = (type: string | undefined): Line => {
  if (type === 'wifi' || type === 'ethernet') return 'wifi'
  return type === undefined || type === 'unknown' ? 'unknown' : 'other'
}

let ofShell: Line = 'asking'
const listeners = new Set<() => void>()

const line = (): Line => (shellHas('Network') ? ofShell : lineOf(network()?.type))

/** Whether this phone says which network it is on, so that photos can wait for Wi-Fi: by its shell, else by its browser. */
export const tellsNetwork = (): boolean => line() !== 'unknown'

/** Whether photos may be sent now. A phone that does not say where it is sends them. */
export const mayUsePhotoLine = (): boolean => readSettings().photosOn !== 'wifi' || ['wifi', 'unknown'].includes(line())

let watching = false

const watchShell = (): void => {
  const hear = (type: string | undefined) => {
    ofShell = lineOf(type)
    for (const listener of listeners) listener()
  }
  hearShell('Network', 'networkStatusChange', ({ connectionType }) => hear(connectionType))
  askShell('Network', 'getStatus').then(
    (status) => hear(status?.connectionType),
    () => hear(undefined),
  )
}

/** Calls when the phone comes into another network. */
export const onNetworkChange = (listener: () => void): void => {
  listeners.add(listener)
  if (watching) return
  watching = true
  if (shellHas('Network')) watchShell()
  else
    network()?.addEventListener?.('change', () => {
      for (const one of listeners) one()
    })
}
