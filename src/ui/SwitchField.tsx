import { Toggle, type ToggleProps } from './Toggle.tsx'

/** On or off that takes effect at once. */
export const SwitchField = (props: ToggleProps) => <Toggle {...props} look="switch" />
