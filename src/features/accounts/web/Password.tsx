import type { Control } from 'react-hook-form'
import { FormField } from '../../../ui/FormField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { passwordMinimum, passwordTooShort } from '../rules.ts'

export type PasswordWords = Record<'label' | 'again' | 'hint' | 'short' | 'repeat' | 'differ', string>

const english = { short: passwordTooShort, repeat: 'Type it once more', differ: 'Passwords do not match' }

/** What is wrong with a new password and its repetition, as the form keeps errors. */
export const newPasswordErrors = (
  password: string,
  repeated: string,
  words: Pick<PasswordWords, 'short' | 'repeat' | 'differ'> = english,
): Partial<Record<'password' | 'repeated', { type: string; message: string }>> => {
  const isShort = password.length < passwordMinimum
  const again = repeated === '' ? words.repeat : password === repeated ? null : words.differ
  return {
    ...(isShort ? { password: { type: 'min', message: words.short } } : {}),
    ...(again ? { repeated: { type: 'same', message: again } } : {}),
  }
}

type TwoPasswords = { password: string; repeated: string }

/** A new password, twice. */
export const NewPasswordFields = <T extends TwoPasswords>({
  control,
  label = 'Password',
  again = `${label} again`,
  hint = `At least ${passwordMinimum} characters`,
  autoFocus = false,
}: {
  control: Control<T>
  label?: string
  again?: string
  hint?: string
  autoFocus?: boolean
}) => {
  const own = control as unknown as Control<TwoPasswords>
  return (
    <>
      <FormField control={own} name="password">
        {(field) => (
          <TextField
            label={label}
            type="password"
            autoComplete="new-password"
            hint={hint}
            maxLength={128}
            autoFocus={autoFocus}
            {...field}
          />
        )}
      </FormField>
      <FormField control={own} name="repeated">
        {(field) => <TextField label={again} type="password" autoComplete="new-password" maxLength={128} {...field} />}
      </FormField>
    </>
  )
}
