import { Combobox, useCombobox } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { type ReactNode, type Ref, useEffect, useRef, useState } from 'react'
import './theme/mantine-base.ts'
import '@mantine/core/styles/Combobox.layer.css'
import './ComboboxField.css'
import { FieldFrame, type FieldProps, useFieldIds } from './FieldFrame.tsx'
import { IconChevronDown, IconPlus, IconX } from './icons.ts'
import { Spinner } from './Spinner.tsx'

export type Choice = { value: string; label: string; hint?: ReactNode }
type Found =
  | { state: 'idle' }
  | { state: 'busy' }
  | { state: 'failed' }
  | { state: 'found'; choices: readonly Choice[] }

type Props = FieldProps<Choice | null> & {
  /** Called with what is typed ('' on opening) after 180 ms of quiet; an older answer is dropped. */
  search: (text: string, signal: AbortSignal) => Promise<readonly Choice[]> | readonly Choice[]
  placeholder?: string
  /** Offers "Add '…'" under the finds. */
  onCreate?: (text: string) => void
  createLabel?: (text: string) => string
  emptyText?: string
  ref?: Ref<HTMLInputElement>
}

/** One of many: type to find. The value carries its label, so it can be shown before anything was searched. */
export const ComboboxField = ({
  value,
  onChange,
  onBlur,
  name,
  disabled,
  autoFocus,
  search,
  placeholder,
  onCreate,
  createLabel = (t) => `Add “${t}”`,
  emptyText = 'Nothing found',
  ref,
  ...frame
}: Props) => {
  const { controlId, aria } = useFieldIds(frame)
  const box = useCombobox({ onDropdownClose: () => box.resetSelectedOption() })
  const [text, setText] = useState<string | null>(null)
  const [found, setFound] = useState<Found>({ state: 'idle' })
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])

  const find = async (query: string) => {
    running.current?.abort()
    const own = new AbortController()
    running.current = own
    setFound((old) => (old.state === 'found' ? old : { state: 'busy' }))
    try {
      const choices = await search(query.trim(), own.signal)
      if (own.signal.aborted) return
      setFound({ state: 'found', choices })
    } catch {
      if (!own.signal.aborted) setFound({ state: 'failed' })
    }
  }
  const lookSoon = useDebouncedCallback(find, 180)
  const open = () => {
    if (disabled || box.dropdownOpened) return
    box.openDropdown()
    void find('')
  }
  const choose = (choice: Choice | null) => {
    onChange(choice)
    setText(null)
    box.closeDropdown()
  }
  const choices = found.state === 'found' ? found.choices : []
  const input = (text ?? '').trim()
  // Enter takes the first find; it can be marked only once it is drawn.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only new finds mark the first anew
  useEffect(() => {
    if (found.state === 'found' && input) box.selectFirstOption()
  }, [found])

  return (
    <FieldFrame {...frame} controlId={controlId}>
      <Combobox
        store={box}
        offset={4}
        classNames={{
          dropdown: 'ui-combo',
          option: 'ui-combo__option',
          options: 'ui-combo__list',
          empty: 'ui-combo__empty',
        }}
        onOptionSubmit={(key) => {
          if (key === '+create') {
            onCreate?.(input)
            choose(value)
          } else choose(choices.find((choice) => choice.value === key) ?? null)
        }}
      >
        <Combobox.DropdownTarget>
          <span className="ui-input">
            <Combobox.EventsTarget withExpandedAttribute>
              <input
                {...aria}
                id={controlId}
                ref={ref}
                name={name}
                disabled={disabled}
                // biome-ignore lint/a11y/noAutofocus: only where the caller opened this for typing
                autoFocus={autoFocus}
                autoComplete="off"
                placeholder={placeholder}
                value={text ?? value?.label ?? ''}
                role="combobox"
                aria-expanded={box.dropdownOpened}
                aria-controls={box.listId ?? undefined}
                onChange={(event) => {
                  setText(event.target.value)
                  box.openDropdown()
                  lookSoon(event.target.value)
                }}
                onFocus={(event) => event.target.select()}
                onClick={open}
                onKeyDown={(event) => {
                  if (event.key === 'ArrowDown' && !box.dropdownOpened) open()
                }}
                onBlur={() => {
                  box.closeDropdown()
                  if (text === '') onChange(null)
                  setText(null)
                  onBlur?.()
                }}
              />
            </Combobox.EventsTarget>
            {found.state === 'busy' ? (
              <span className="ui-input__side">
                <Spinner size={15} />
              </span>
            ) : null}
            {value && !disabled ? (
              <button
                type="button"
                className="ui-input__button"
                aria-label="Clear"
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => choose(null)}
              >
                <IconX size={16} />
              </button>
            ) : (
              <span className="ui-input__side">
                <IconChevronDown size={16} aria-hidden="true" />
              </span>
            )}
          </span>
        </Combobox.DropdownTarget>
        <Combobox.Dropdown hidden={found.state === 'idle' || found.state === 'busy'} data-panel-esc="own">
          <Combobox.Options>
            {choices.map((choice) => (
              <Combobox.Option key={choice.value} value={choice.value} active={choice.value === value?.value}>
                <span>{choice.label}</span>
                {choice.hint ? <span className="hint">{choice.hint}</span> : null}
              </Combobox.Option>
            ))}
            {found.state === 'found' && choices.length === 0 ? <Combobox.Empty>{emptyText}</Combobox.Empty> : null}
            {found.state === 'failed' ? (
              <Combobox.Empty>The search did not answer. Type again to retry.</Combobox.Empty>
            ) : null}
            {onCreate && input ? (
              <Combobox.Option value="+create" className="ui-combo__option ui-combo__create">
                <span>
                  <IconPlus size={16} aria-hidden="true" />
                  {createLabel(input)}
                </span>
              </Combobox.Option>
            ) : null}
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
    </FieldFrame>
  )
}
