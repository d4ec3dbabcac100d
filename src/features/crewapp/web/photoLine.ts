import { readSettings } from './settings.ts'

/** What a phone says of the network it is on; many say nothing. */
type Network = { type?: string; addEventListener?: (type: 'change', listener: () => void) => void }

const network = (): Network | undefined => (navigator as { connection?: Network }).connection

/** Whether this phone says which network it is on, so that photos can wait for Wi-Fi. */
export const tellsNetwork = (): boolean => typeof network()?.type === 'string'

/** Whether photos may be sent now. A phone that does not say where it is sends them. */
export const mayUsePhotoLine = (): boolean =>
  readSettings().photosOn !== 'wifi' || !tellsNetwork() || ['wifi', 'ethernet'].includes(network()?.type ?? '')

/** Calls when the phone comes into another network. */
export const onNetworkChange = (listener: () => void): void => network()?.addEventListener?.('change', listener)
