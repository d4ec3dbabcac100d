import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'

// a busy machine is no fault: what is waited for ends the wait
configure({ asyncUtilTimeout: 10_000 })
afterEach(cleanup)
