import { lazy, Suspense, useCallback, useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { CommandPalette } from '../ui/CommandPalette.tsx'
import { loadScreen } from './loading.ts'
import { keyReader } from './shortcuts.ts'

const KeyboardMap = lazy(() =>
  loadScreen(() => import('./KeyboardMap.tsx')).then(({ KeyboardMap }) => ({ default: KeyboardMap })),
)

const OfficePalette = lazy(() =>
  loadScreen(() => import('./OfficePalette.tsx')).then(({ OfficePalette }) => ({ default: OfficePalette })),
)

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))
const isBehindDialog = (): boolean =>
  document.querySelector('[role="dialog"][aria-modal="true"], dialog[open]') !== null

/** The command palette, the keys of the office, and the map of them. */
export const FindAnything = ({ open, onOpen }: { open: boolean; onOpen: (open: boolean) => void }) => {
  const navigate = useNavigate()
  const [map, setMap] = useState<'never' | 'open' | 'closed'>('never')

  useEffect(() => {
    const read = keyReader()
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.repeat) return
      const { key, ctrlKey: ctrl, metaKey: meta, altKey: alt } = event
      const typing = isTyping(event.target) || isBehindDialog()
      const action = read({ key, ctrl, meta, alt, typing, at: event.timeStamp })
      if (action === null) return
      if ('map' in action) setMap('open')
      else if ('go' in action) void navigate(action.go)
      else document.querySelector<HTMLElement>('#screen .ui-button--primary:not(:disabled)')?.click()
      event.preventDefault()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [navigate])

  const showKeys = useCallback(() => setMap('open'), [])
  return (
    <>
      <CommandPalette open={open} onOpenChange={onOpen}>
        <OfficePalette onOpenChange={onOpen} showKeys={showKeys} />
      </CommandPalette>
      {map === 'never' ? null : (
        <Suspense fallback={null}>
          <KeyboardMap open={map === 'open'} onClose={() => setMap('closed')} />
        </Suspense>
      )}
    </>
  )
}
