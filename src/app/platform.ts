/** The native shell puts a mark on the window before our code runs. */
export const platform = (): 'web' | 'native' =>
  'Capacitor' in window && (window.Capacitor as { isNativePlatform?: () => boolean }).isNativePlatform?.()
    ? 'native'
    : 'web'
