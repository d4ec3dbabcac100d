import { Toggle, type ToggleProps } from './Toggle.tsx'

/** Yes or no that is sent with the form. */
export const CheckboxField = (props: ToggleProps) => <Toggle {...props} look="" />
