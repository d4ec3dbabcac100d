import { inShell } from '../shared/shell.ts'

export const platform = (): 'web' | 'native' => (inShell() ? 'native' : 'web')
