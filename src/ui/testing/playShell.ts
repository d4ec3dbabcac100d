import type { ShellBridge } from '#src/shared/shell.ts'

type Call = { part: string; method: string; options: unknown }

/** Stands where the native shell is. `answers` by `Part.method`; `tell` says what a part of it would. Returns what was asked. */
export const playShell = ({
  parts,
  system = 'android',
  answers = {},
}: {
  parts: string[]
  system?: 'android' | 'ios'
  answers?: Record<string, (options: unknown) => unknown>
}) => {
  const asked: Call[] = []
  const listeners = new Map<string, ((told: unknown) => void)[]>()
  const bridge: ShellBridge = {
    isNativePlatform: () => true,
    getPlatform: () => system,
    PluginHeaders: parts.map((name) => ({ name })),
    nativePromise: async (part, method, options) => {
      asked.push({ part, method, options })
      return answers[`${part}.${method}`]?.(options)
    },
    nativeCallback: (part, method, options, callback) => {
      asked.push({ part, method, options })
      const name = `${part}.${method}`
      const listener = (told: unknown) => (callback as (...all: unknown[]) => void)(...(told as unknown[]))
      listeners.set(name, [...(listeners.get(name) ?? []), listener])
    },
    addListener: (part, event, listener) => {
      const name = `${part}.${event}`
      listeners.set(name, [...(listeners.get(name) ?? []), listener as (told: unknown) => void])
      return { remove: () => undefined }
    },
  }
  Object.assign(globalThis, { Capacitor: bridge })
  return {
    asked,
    tell: (name: string, told: unknown) => {
      for (const listener of listeners.get(name) ?? []) listener(told)
    },
  }
}

export const endShell = (): void => {
  Reflect.deleteProperty(globalThis, 'Capacitor')
}
