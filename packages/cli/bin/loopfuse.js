#!/usr/bin/env node
import './loopfuse.cjs';
