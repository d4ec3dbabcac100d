import { lazy, Suspense, useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { loadScreen } from './loading.ts'
import { keyReader } from './shortcuts.ts'

const FindPanel = lazy(() =>
  loadScreen(() => import('./FindPanel.tsx')).then(({ FindPanel }) => ({ default: FindPanel })),
)

const KeyboardMap = lazy(() =>
  loadScreen(() => import('./KeyboardMap.tsx')).then(({ KeyboardMap }) => ({ default: KeyboardMap })),
)

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))
const isBehindDialog = (): boolean =>
  document.querySelector('[role="dialog"][aria-modal="true"], dialog[open]') !== null

/** The command palette with its keys, and the map of all keys. Its code comes when it is first asked for. */
export const FindAnything = ({ open, onOpen }: { open: boolean; onOpen: (open: boolean) => void }) => {
  const navigate = useNavigate()
  const [map, setMap] = useState<'never' | 'open' | 'closed'>('never')
  const [wanted, setWanted] = useState(false)
  useEffect(() => {
    if (open) setWanted(true)
  }, [open])

  useEffect(() => {
    const read = keyReader()
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.repeat) return
      const { key, ctrlKey: ctrl, metaKey: meta, altKey: alt } = event
      const action = read({
        key,
        ctrl,
        meta,
        alt,
        typing: isTyping(event.target) || isBehindDialog(),
        at: event.timeStamp,
      })
      if (action === null) return
      if ('find' in action) onOpen(true)
      else if ('map' in action) setMap('open')
      else if ('go' in action) void navigate(action.go)
      else {
        const main = document.querySelector<HTMLElement>('#screen .ui-button--primary:not(:disabled)')
        if (!main) return
        main.click()
      }
      event.preventDefault()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [navigate, onOpen])

  return (
    <>
      {wanted ? (
        <Suspense fallback={null}>
          <FindPanel open={open} onClose={() => onOpen(false)} onShowKeys={() => setMap('open')} />
        </Suspense>
      ) : null}
      {map === 'never' ? null : (
        <Suspense fallback={null}>
          <KeyboardMap open={map === 'open'} onClose={() => setMap('closed')} />
        </Suspense>
      )}
    </>
  )
}
