import type { InputHTMLAttributes, ReactNode, Ref } from 'react'
import { FieldFrame, type FieldProps, useFieldIds } from './FieldFrame.tsx'

/** A field whose value is not text: `unread` says that null stands for something typed that cannot be read. */
export type TypedProps<V> = Omit<FieldProps<V | null>, 'onChange'> & {
  onChange: (value: V | null, unread: boolean) => void
}

type Props = Omit<FieldProps<string>, 'value' | 'onChange' | 'onBlur'> & {
  text: string
  /** What stands there cannot be read or taken: its form is not sent. */
  unread: boolean
  onText: (text: string) => void
  onLeave: () => void
  before?: ReactNode
  after?: ReactNode
  right?: boolean
  ref?: Ref<HTMLInputElement>
} & Pick<InputHTMLAttributes<HTMLInputElement>, 'inputMode' | 'placeholder' | 'autoComplete' | 'onKeyDown' | 'type'>

/** The shared body of the fields whose value is not text. Only for this kit. */
export const TypedInput = ({
  text,
  unread,
  onText,
  onLeave,
  before,
  after,
  right,
  ref,
  name,
  disabled,
  autoFocus,
  inputMode,
  placeholder,
  autoComplete = 'off',
  onKeyDown,
  type = 'text',
  ...given
}: Props) => {
  // A hint that speaks of the value has none to speak of.
  const frame = unread ? { ...given, hint: undefined } : given
  const { controlId, aria } = useFieldIds(frame)
  return (
    <FieldFrame {...frame} controlId={controlId}>
      <span className={`ui-input${right ? ' ui-input--right' : ''}`}>
        {before ? <span className="ui-input__side">{before}</span> : null}
        <input
          {...aria}
          {...{ name, disabled, inputMode, placeholder, autoComplete, onKeyDown, type, ref }}
          id={controlId}
          className="num"
          value={text}
          data-unread={unread || undefined}
          // biome-ignore lint/a11y/noAutofocus: only where the caller opened this for typing
          autoFocus={autoFocus}
          onChange={(event) => onText(event.target.value)}
          onBlur={onLeave}
        />
        {after}
      </span>
    </FieldFrame>
  )
}
