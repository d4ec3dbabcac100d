import { Command } from 'cmdk'
import { useEffect, useState } from 'react'
import { IconSearch } from './icons.ts'
import type { PaletteGroup, PaletteProps } from './paletteItems.ts'
import './PaletteBody.css'
import { Spinner } from './Spinner.tsx'

type Found = { state: 'idle' | 'busy' | 'failed'; groups: readonly PaletteGroup[] }
const nothing: Found = { state: 'idle', groups: [] }

/** The inside of the command palette: what it finds among its own entries by their words, and what the server finds. */
export const PaletteBody = ({
  open,
  onOpenChange,
  groups,
  search,
  placeholder = 'Find a customer, job or invoice, or do something',
}: PaletteProps) => {
  const [text, setText] = useState('')
  const [found, setFound] = useState<Found>(nothing)
  useEffect(() => {
    const input = text.trim()
    if (!search || input.length < 2) return setFound(nothing)
    const stop = new AbortController()
    setFound((old) => ({ state: 'busy', groups: old.groups }))
    const timer = setTimeout(async () => {
      try {
        const result = await search(input, stop.signal)
        if (!stop.signal.aborted) setFound({ state: 'idle', groups: result })
      } catch {
        if (!stop.signal.aborted) setFound({ state: 'failed', groups: [] })
      }
    }, 150)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [text, search])
  const parts = text.toLowerCase().split(/\s+/).filter(Boolean)
  const fits = (words: string) => parts.every((part) => words.toLowerCase().includes(part))
  const own = groups.map((one) => ({
    ...one,
    items: one.items.filter((item) => fits([one.heading, item.label, ...(item.keywords ?? [])].join(' '))),
  }))
  const group = ({ id, heading, items }: PaletteGroup) =>
    items.length === 0 ? null : (
      <Command.Group key={id} heading={heading}>
        {items.map((item) => (
          <Command.Item
            key={item.id}
            value={`${id}:${item.id}`}
            onSelect={() => {
              onOpenChange(false)
              item.onSelect()
            }}
          >
            {item.icon}
            <span className="ui-palette__label">{item.label}</span>
            {item.hint ? <span className="hint">{item.hint}</span> : null}
          </Command.Item>
        ))}
      </Command.Group>
    )
  return (
    <Command.Dialog
      open={open}
      onOpenChange={onOpenChange}
      label="Find anything"
      loop
      overlayClassName="ui-palette__veil"
      contentClassName="ui-palette"
      data-panel-esc="own"
      // We match our own entries by their words below; what the server found fits by its own measure.
      shouldFilter={false}
    >
      <div className="ui-palette__top">
        <IconSearch size={19} aria-hidden="true" />
        <Command.Input value={text} onValueChange={setText} placeholder={placeholder} />
        {found.state === 'busy' ? <Spinner /> : <kbd>Esc</kbd>}
      </div>
      <Command.List>
        {found.state === 'busy' ? null : (
          <Command.Empty>
            {found.state === 'failed'
              ? 'The search did not answer. Type again to retry.'
              : `Nothing found for “${text}”.`}
          </Command.Empty>
        )}
        {found.groups.map((one) => group(one))}
        {own.map((one) => group(one))}
      </Command.List>
    </Command.Dialog>
  )
}
