import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { IconButton } from '../../../../ui/IconButton.tsx'
import { IconX } from '../../../../ui/icons.ts'
import { PanelSkeleton } from '../../../../ui/Skeleton.tsx'
import type { MessageTemplate } from '../contract.ts'
import { textFor } from '../rules.ts'
import { templatesQuery } from './data.ts'
import './templates.css'

type Props = {
  language: 'en' | 'es'
  onPick: (template: MessageTemplate) => void
  onManage: () => void
  onClose: () => void
}

/** Templates to choose from, over the text that is being written: typing finds one, Enter takes it, Esc leaves. */
export const TemplatePicker = ({ language, onPick, onManage, onClose }: Props) => {
  const found = useQuery(templatesQuery)
  const [search, setSearch] = useState('')
  const list = useRef<HTMLUListElement>(null)
  const id = useId()
  const wanted = search.trim().toLowerCase()
  const rows = (found.data?.items ?? []).filter(({ name, textEn, textEs }) =>
    `${name} ${textEn} ${textEs}`.toLowerCase().includes(wanted),
  )
  const buttons = () => [...(list.current?.querySelectorAll('button') ?? [])]
  const onKeys = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      // not the panel behind it
      event.stopPropagation()
      event.preventDefault()
      return onClose()
    }
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    const all = buttons()
    const at = all.indexOf(document.activeElement as HTMLButtonElement)
    const next = at + (event.key === 'ArrowDown' ? 1 : -1)
    if (next < 0) document.getElementById(id)?.focus()
    else all[Math.min(next, all.length - 1)]?.focus()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys of what stands in it
    <div className="mt-picker" onKeyDown={onKeys}>
      <div className="mt-picker__head">
        <input
          id={id}
          className="mt-picker__find"
          type="search"
          aria-label="Find a template"
          placeholder="Find a template"
          value={search}
          // biome-ignore lint/a11y/noAutofocus: it was opened for typing
          autoFocus
          onChange={(event) => setSearch(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            if (rows[0]) onPick(rows[0])
          }}
        />
        <IconButton label="Close templates" icon={<IconX />} onClick={onClose} tooltip={false} />
      </div>
      {found.isError && !found.data ? (
        <ErrorState compact error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
      ) : !found.data ? (
        <PanelSkeleton />
      ) : rows.length === 0 ? (
        <p className="hint mt-picker__none">{wanted ? 'No template has these words.' : 'No template yet.'}</p>
      ) : (
        <ul ref={list} aria-label="Templates">
          {rows.map((template) => {
            const { text, fellBack } = textFor(template, language)
            return (
              <li key={template.id}>
                <button type="button" onClick={() => onPick(template)}>
                  <b>{template.name}</b>
                  {fellBack ? <span className="hint"> no Spanish text</span> : null}
                  <span className="mt-picker__text">{text}</span>
                </button>
              </li>
            )
          })}
        </ul>
      )}
      <Button size="s" kind="quiet" onClick={onManage}>
        Manage templates
      </Button>
    </div>
  )
}
